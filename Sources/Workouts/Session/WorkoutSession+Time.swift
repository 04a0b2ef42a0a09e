package import HealthModel
import HealthStatistics

extension WorkoutSession {
    /// How long it has been by the clock on the wall; 0 before the start.
    package func elapsedSeconds(at time: Instant) -> Double { span(until: time)?.seconds ?? 0 }

    /// How long it has been without its pauses; 0 before the start.
    package func activeSeconds(at time: Instant) -> Double {
        intervals(at: time).reduce(0) { $0 + $1.seconds }
    }

    /// When it was paused; a pause that lasts goes on to the end of the times.
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
        if let since { pauses.append(since..<(endedAt ?? .endOfTime)) }
        return pauses.filter { !$0.isEmpty }
    }

    /// The spans between its pauses so far, none of which is empty.
    package func intervals(at time: Instant) -> [Range<Instant>] {
        guard let span = span(until: time) else { return [] }
        return span.without(pauses)
    }

    /// Where laps were marked, in the order of time.
    package var lapMarks: [Instant] { events.compactMap { $0.kind == .lap ? $0.end : nil } }

    /// The laps so far, the present one included; one where none was marked.
    package func laps(at time: Instant) -> [Range<Instant>] {
        guard let span = span(until: time) else { return [] }
        return span.cut(at: lapMarks)
    }

    /// From its start to a time, or to its end where that is earlier; nil before the start.
    private func span(until time: Instant) -> Range<Instant>? {
        guard let startedAt else { return nil }
        return startedAt..<max(startedAt, min(time, endedAt ?? time))
    }
}

extension Instant {
    /// Later than all that happens.
    static let endOfTime = Instant(nanosecondsSince1970: .max)
}

extension Range<Instant> {
    /// What is left of it without some spans, which are in order and do not overlap.
    func without(_ spans: [Range<Instant>]) -> [Range<Instant>] {
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

    /// Its parts from mark to mark; marks are in order, and one outside or where the last one was cuts
    /// nothing.
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
