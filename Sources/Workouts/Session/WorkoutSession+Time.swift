package import HealthModel
import HealthStatistics

extension WorkoutSession {
    /// The elapsed time, pauses included; 0 before the start.
    package func elapsedSeconds(at time: Instant) -> Double { span(until: time)?.seconds ?? 0 }

    /// The active time, without pauses; 0 before the start.
    package func activeSeconds(at time: Instant) -> Double {
        intervals(at: time).reduce(0) { $0 + $1.seconds }
    }

    /// The pauses; one without a resume lasts until the end, or until the end of time while the
    /// workout is active.
    package var pauses: [Range<Instant>] {
        var pauses: [Range<Instant>] = []
        var since: Instant?
        for event in events {
            switch event.kind {
            case .pause: since = event.start
            case .resume:
                if let since { pauses.append(since..<event.start) }
                since = nil
            default: continue
            }
        }
        if let since { pauses.append(since..<(endedAt ?? .distantFuture)) }
        return pauses.filter { !$0.isEmpty }
    }

    /// The spans between pauses so far; none is empty.
    package func intervals(at time: Instant) -> [Range<Instant>] {
        guard let span = span(until: time) else { return [] }
        return span.without(pauses)
    }

    /// The ends of the marked laps, in time order.
    package var lapMarks: [Instant] { events.compactMap { $0.kind == .lap ? $0.end : nil } }

    /// The laps so far, including the current one; a single lap when none was marked.
    package func laps(at time: Instant) -> [Range<Instant>] {
        guard let span = span(until: time) else { return [] }
        return span.cut(at: lapMarks)
    }

    /// The span from the start to a time, or to the end if that is earlier; nil before the start.
    private func span(until time: Instant) -> Range<Instant>? {
        guard let startedAt else { return nil }
        return startedAt..<max(startedAt, min(time, endedAt ?? time))
    }
}

extension Instant {
    /// The latest representable time.
    static let distantFuture = Instant(nanosecondsSince1970: .max)
}

extension Range<Instant> {
    /// The parts of the span outside other spans, which are in order and do not overlap.
    package func without(_ spans: [Range<Instant>]) -> [Range<Instant>] {
        var rest: [Range<Instant>] = []
        var from = lowerBound
        for span in spans where span.upperBound > from {
            guard span.lowerBound < upperBound else { break }
            if from < span.lowerBound { rest.append(from..<span.lowerBound) }
            from = Swift.max(from, span.upperBound)
        }
        if from < upperBound { rest.append(from..<upperBound) }
        return rest
    }

    /// The parts of the span between marks, which are in order; marks outside the span or equal to
    /// the previous one are ignored.
    func cut(at marks: [Instant]) -> [Range<Instant>] {
        var parts: [Range<Instant>] = []
        var from = lowerBound
        for mark in marks where mark > from && mark < upperBound {
            parts.append(from..<mark)
            from = mark
        }
        parts.append(from..<upperBound)
        return parts
    }
}
