import HealthModel
import Workouts

/// The pauses of a FIT activity.
///
/// Timer events have whole seconds, so that a pause of less than a second starts and ends in the
/// same one. The session has its elapsed and active time in milliseconds: their difference gives
/// the pauses their lengths.
struct FITPauses {
    /// The event types that stop the timer: stop, stop_all, stop_disable and stop_disable_all.
    private static let stops: Set<Int> = [1, 4, 8, 9]
    private static let start = 0

    /// The whole seconds in which a pause starts and ends.
    private struct Events {
        let start: Instant
        let end: Instant
        /// The range of possible lengths, in seconds.
        let seconds: ClosedRange<Double>
    }

    private var events: [Events] = []
    private var since: Instant?
    private var isStoppedTwice = false

    var count: Int { events.count }

    mutating func add(timerEvent type: Int, at time: Instant) {
        if Self.stops.contains(type) {
            isStoppedTwice = since != nil
            since = since ?? time
        } else if type == Self.start, let start = since {
            since = nil
            guard start <= time else { return }
            let seconds = time.seconds(since: start)
            events.append(
                Events(start: start, end: time, seconds: max(0, seconds - 1)...seconds + 1))
        }
    }

    /// The pauses in order; no one overlaps the next.
    ///
    /// - Parameters:
    ///   - end: The end of the workout; a pause without a resume lasts until then.
    ///   - pausedSeconds: The length of all pauses, if the file has it.
    func spans(until end: Instant?, pausedSeconds: Double?) -> [Range<Instant>] {
        var events = events
        if let end, let last = last(until: end) { events.append(last) }
        let shortest = events.reduce(0) { $0 + $1.seconds.lowerBound }
        let longest = events.reduce(0) { $0 + $1.seconds.upperBound }
        guard let pausedSeconds, shortest < longest, (shortest...longest).contains(pausedSeconds)
        else {
            return events.compactMap { $0.start < $0.end ? $0.start..<$0.end : nil }
        }
        let share = min(1, (pausedSeconds - shortest) / (longest - shortest))
        var spans: [Range<Instant>] = []
        for event in events {
            let range = event.seconds
            let seconds = range.lowerBound + share * (range.upperBound - range.lowerBound)
            let rounded = (seconds * 1_000).rounded() / 1_000
            guard rounded > 0 else { continue }
            // The end of the workout is early by the part of a second that its start has lost.
            let latest = end.map { $0.later(bySeconds: -rounded) } ?? event.start
            let first = min(event.start, latest)
            let start = max(first, spans.last?.upperBound ?? first)
            spans.append(start..<start.later(bySeconds: rounded))
        }
        return spans
    }

    /// The pause at the end: a stop in the last second is the end itself, unless another one
    /// follows it.
    private func last(until end: Instant) -> Events? {
        guard let since, since < end else { return nil }
        let seconds = end.seconds(since: since)
        guard seconds > 1 || isStoppedTwice else { return nil }
        return Events(
            start: since, end: seconds > 1 ? end : since,
            seconds: max(0, seconds - 1)...seconds + 1)
    }
}

extension Instant {
    /// Whether this is less than a second later than another time.
    func isInTheSecond(after earlier: Instant) -> Bool {
        earlier < self && seconds(since: earlier) < 1
    }
}

extension ImportDraft {
    /// Moves points and markers of the last second to the end, which is early by the part of a second that the
    /// start has lost.
    mutating func movePointsToTheEnd(_ end: Instant) {
        movePoints { $0.isInTheSecond(after: end) ? end : $0 }
        markers = markers.map { $0.isInTheSecond(after: end) ? end : $0 }
    }

    /// Moves the points whose whole second is in a pause out of it: to the resume that precedes them, or to
    /// the stop that follows them.
    mutating func movePointsOutOfPauses() {
        let resumes = Dictionary(
            pauses.map { ($0.upperBound.wholeSecond, $0) }, uniquingKeysWith: { $1 })
        // Only a pause at the end starts within a second: before that of its event.
        let stops = Dictionary(
            pauses.map { ($0.lowerBound.wholeSecond + 1, $0) }, uniquingKeysWith: { $1 }
        ).filter { Instant(wholeSecond: $0.value.lowerBound.wholeSecond) < $0.value.lowerBound }
        movePoints { time in
            if let pause = resumes[time.wholeSecond], pause.lowerBound < time {
                return max(time, pause.upperBound)
            }
            return stops[time.wholeSecond]?.lowerBound ?? time
        }
    }
}
