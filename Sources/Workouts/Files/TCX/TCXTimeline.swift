import HealthModel

/// A lap as TCX has it.
struct TCXLap {
    var start: Instant?
    /// How long it was without pauses.
    var seconds: Double?
    /// In kilocalories.
    var energy: Double?
    var steps: Double?
    /// From the first to the last point of each track; nil for a track without points.
    var tracks: [ClosedRange<Instant>?] = []

    /// From the start of its first track to the end of its last one.
    fileprivate var recorded: ClosedRange<Instant>? {
        let known = tracks.compactMap { $0 }
        guard let first = known.map(\.lowerBound).min(), let last = known.map(\.upperBound).max()
        else { return nil }
        return first...last
    }
}

/// Finds when a workout of TCX went on and when it paused.
///
/// TCX has no pauses, but laps with a time that does not count them. Between two tracks of a lap is one. At
/// the ends of a lap is one where the time of the lap is shorter than its place in the day: else it is the
/// second between one point and the next.
struct TCXTimeline {
    /// Less is the difference between two points or two ways to round.
    private static let minimumPause = 1.0

    let start: Instant
    let end: Instant
    /// When the second lap and those after it began.
    let marks: [Instant]
    private let spans: [Range<Instant>]
    private let laps: [TCXLap]
    private var pauses: [Range<Instant>] = []

    /// - Throws: when a lap tells no time.
    init(_ laps: [TCXLap]) throws(WorkoutFileError) {
        var starts: [Instant] = []
        for lap in laps {
            guard let start = lap.start ?? lap.recorded?.lowerBound,
                starts.last.map({ $0 <= start }) ?? true
            else { throw .damaged("a lap has no valid start") }
            starts.append(start)
        }
        guard let first = starts.first, let last = starts.last, let lastLap = laps.last else {
            throw .noWorkout
        }
        let gaps = Self.gaps(of: lastLap).reduce(0) { $0 + $1.length }
        let counted = last.later(bySeconds: (lastLap.seconds ?? 0) + gaps)
        let recorded = lastLap.recorded?.upperBound
        // The points know better, unless the time says that they end early.
        let lasts = recorded.map { counted.seconds(since: $0) < Self.minimumPause } ?? false
        start = first
        end = max(lasts ? recorded ?? counted : counted, last)
        marks = Array(starts.dropFirst())
        spans = zip(starts, marks + [end]).map { $0..<$1 }
        self.laps = laps
    }

    /// What laps came to, over the whole of each.
    func amounts(_ path: KeyPath<TCXLap, Double?>) -> [ImportDraft.Amount] {
        zip(laps, spans).compactMap { lap, span in
            guard let value = lap[keyPath: path], value > 0, !span.isEmpty else { return nil }
            return ImportDraft.Amount(span: span, value: value)
        }
    }

    /// The pauses in order, those that touch joined.
    mutating func takePauses() -> [Range<Instant>] {
        for (lap, span) in zip(laps, spans) { addPauses(of: lap, span) }
        var joined: [Range<Instant>] = []
        for pause in pauses.sorted(by: { $0.lowerBound < $1.lowerBound }) where !pause.isEmpty {
            if let last = joined.last, pause.lowerBound <= last.upperBound {
                let end = max(last.upperBound, pause.upperBound)
                joined[joined.count - 1] = last.lowerBound..<end
            } else {
                joined.append(pause)
            }
        }
        return joined
    }

    private mutating func addPauses(of lap: TCXLap, _ span: Range<Instant>) {
        let gaps = Self.gaps(of: lap)
        pauses += gaps
        guard let counted = lap.seconds else { return }
        var missing = span.length - counted - gaps.reduce(0) { $0 + $1.length }
        guard let recorded = lap.recorded else {
            if missing >= Self.minimumPause { addPause(before: span.upperBound, missing) }
            return
        }
        let tail = span.upperBound.seconds(since: recorded.upperBound)
        if missing >= Self.minimumPause, tail >= Self.minimumPause {
            let isWhole = abs(tail - missing) < Self.minimumPause
            addPause(before: span.upperBound, isWhole ? tail : min(tail, missing))
            missing -= tail
        }
        let head = recorded.lowerBound.seconds(since: span.lowerBound)
        if missing >= Self.minimumPause, head >= Self.minimumPause {
            let isWhole = abs(head - missing) < Self.minimumPause
            addPause(before: recorded.lowerBound, isWhole ? head : min(head, missing))
        }
    }

    private mutating func addPause(before end: Instant, _ seconds: Double) {
        pauses.append(end.later(bySeconds: -seconds)..<end)
    }

    /// What lies between the tracks of a lap.
    private static func gaps(of lap: TCXLap) -> [Range<Instant>] {
        let tracks = lap.tracks.compactMap { $0 }.sorted { $0.lowerBound < $1.lowerBound }
        return zip(tracks, tracks.dropFirst()).compactMap { track, next in
            track.upperBound < next.lowerBound ? track.upperBound..<next.lowerBound : nil
        }
    }
}

extension Range<Instant> {
    /// How long it is, in seconds.
    fileprivate var length: Double { upperBound.seconds(since: lowerBound) }
}
