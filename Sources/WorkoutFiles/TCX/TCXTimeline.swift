import HealthModel
import Workouts

/// A lap of a TCX file.
struct TCXLap {
    var start: Instant?
    /// The active time, without pauses.
    var seconds: Double?
    /// In kilocalories.
    var energy: Double?
    var steps: Double?
    /// In metres.
    var distance: Double?
    /// The span from the first to the last point of each track; nil for a track without points.
    var tracks: [ClosedRange<Instant>?] = []

    /// The span from the start of the first track to the end of the last one.
    fileprivate var recorded: ClosedRange<Instant>? {
        let known = tracks.compactMap { $0 }
        guard let first = known.map(\.lowerBound).min(), let last = known.map(\.upperBound).max()
        else { return nil }
        return first...last
    }
}

/// Calculates the start, end and pauses of a TCX workout.
///
/// TCX has no pauses, but each lap has its active time. There is a pause between two tracks of a
/// lap. There is also one at an end of a lap if its active time is shorter than its span; otherwise
/// that gap is the second between two points.
///
/// The timer stops after the last point of a track and resumes before the first one of the next: the
/// pauses are shorter than the gaps, and the active time shows by how much.
struct TCXTimeline {
    /// The shortest pause, in seconds; a shorter gap is the time between two points or a rounding
    /// difference.
    private static let minimumPause = 1.0
    /// How much longer than its pause a gap may be: the seconds between two points, twice.
    private static let maximumGapExcess = 2.0

    let start: Instant
    let end: Instant
    /// The starts of all laps but the first.
    let marks: [Instant]
    private let spans: [Range<Instant>]
    private let laps: [TCXLap]
    private var pauses: [Range<Instant>] = []

    /// - Throws: when a lap has no time.
    init(_ laps: [TCXLap]) throws(WorkoutFileError) {
        var starts: [Instant] = []
        for lap in laps {
            guard let start = lap.start ?? lap.recorded?.lowerBound,
                starts.last.map({ $0 <= start }) ?? true
            else { throw .corrupt("invalid lap start") }
            starts.append(start)
        }
        guard let first = starts.first, let last = starts.last, let lastLap = laps.last else {
            throw .noWorkout
        }
        let gaps = Self.gaps(of: lastLap)
        let counted = last.later(
            bySeconds: gaps.reduce(lastLap.seconds ?? 0) { $0 + $1.length })
        let recorded = lastLap.recorded?.upperBound
        let tolerance = max(Self.minimumPause, Double(gaps.count) * Self.maximumGapExcess)
        // The points are more precise, unless the active time shows that they end early.
        let lasts = recorded.map { counted.seconds(since: $0) < tolerance } ?? false
        start = first
        end = max(lasts ? recorded ?? counted : counted, last)
        marks = Array(starts.dropFirst())
        spans = zip(starts, marks + [end]).map { $0..<$1 }
        self.laps = laps
    }

    /// The amounts of the laps, and their sum.
    func totals(_ path: KeyPath<TCXLap, Double?>) -> ImportTotals {
        ImportTotals(
            parts: zip(laps, spans).compactMap { lap, span in
                guard let value = lap[keyPath: path], value > 0, !span.isEmpty else { return nil }
                return ImportDraft.Amount(span: span, value: value)
            },
            total: laps.compactMap { $0[keyPath: path] }.reduce(0, +))
    }

    /// The pauses in order, with adjacent ones joined.
    mutating func joinedPauses() -> [Range<Instant>] {
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
        let gaps = Self.pauses(between: Self.gaps(of: lap), lap.seconds, span.length)
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

    /// The gaps without what they are too long for the active time of their lap.
    private static func pauses(
        between gaps: [Range<Instant>], _ activeSeconds: Double?, _ seconds: Double
    ) -> [Range<Instant>] {
        guard let activeSeconds, !gaps.isEmpty else { return gaps }
        let excess = gaps.reduce(activeSeconds - seconds) { $0 + $1.length } / Double(gaps.count)
        guard 0 < excess, excess < maximumGapExcess else { return gaps }
        return gaps.map {
            $0.upperBound.later(bySeconds: -max(0, $0.length - excess))..<$0.upperBound
        }
    }

    private mutating func addPause(before end: Instant, _ seconds: Double) {
        pauses.append(end.later(bySeconds: -seconds)..<end)
    }

    /// The spans between the tracks of a lap.
    private static func gaps(of lap: TCXLap) -> [Range<Instant>] {
        let tracks = lap.tracks.compactMap { $0 }.sorted { $0.lowerBound < $1.lowerBound }
        return zip(tracks, tracks.dropFirst()).compactMap { track, next in
            track.upperBound < next.lowerBound ? track.upperBound..<next.lowerBound : nil
        }
    }
}

extension Range<Instant> {
    /// The length of the span, in seconds.
    fileprivate var length: Double { upperBound.seconds(since: lowerBound) }
}
