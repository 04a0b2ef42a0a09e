import HealthModel
import Workouts

/// The laps and sessions of a FIT activity: its span, and the amounts that only they have.
///
/// Laps and sessions have the same numbers for start, elapsed time, active time, distance and energy.
struct FITParts {
    private static let maximumSessionCount = 100
    /// A record further away from the workout has the time of a clock that jumped.
    private static let maximumGapSeconds = 3_600.0

    private var sessions: [FITMessage] = []
    private var laps: [FITMessage] = []

    mutating func add(lap: FITMessage) throws(WorkoutFileError) {
        guard laps.count < ImportDraft.maximumEventCount else { throw .tooMany("laps") }
        laps.append(lap)
    }

    mutating func add(session: FITMessage) throws(WorkoutFileError) {
        guard sessions.count < Self.maximumSessionCount else { throw .tooMany("sessions") }
        sessions.append(session)
    }

    /// The activity and its location; a name identifies an activity without a FIT sport.
    func activity(named name: String?) -> (WorkoutActivity, WorkoutLocation) {
        let sports = Set(sessions.map { FITSport($0.integer(5) ?? 0, $0.integer(6) ?? 0) })
        guard let sport = sports.first else { return (WorkoutActivity(.other), .unknown) }
        guard sports.count == 1 else { return (WorkoutActivity(.swimBikeRun), .unknown) }
        return sport.activity(name: sessions.first?.text(110) ?? name)
    }

    /// The length of all pauses, if the file has it.
    var pausedSeconds: Double? {
        let paused = sessions.compactMap { session -> Double? in
            guard let elapsed = session.number(7), let active = session.number(8) else {
                return nil
            }
            return (elapsed - active) / 1_000
        }
        return paused.isEmpty ? nil : paused.reduce(0, +)
    }

    /// The starts of all laps but the first.
    var lapMarks: [Instant] { laps.dropFirst().compactMap(\.start) }

    /// The span of the workout; nil when the file has no time.
    ///
    /// - Parameter times: The times of the records.
    func span(_ times: [Instant]) -> ClosedRange<Instant>? {
        var span: ClosedRange<Instant>?
        var latest: Instant?
        for session in sessions {
            guard let start = session.start, var end = session.end else { continue }
            latest = max(latest ?? start, start, end)
            // Times in the file are whole seconds, so the last record may be slightly later.
            if let last = times.max(), let written = session.second, last.wholeSecond <= written {
                end = max(end, last)
            }
            end = max(end, start)
            span = min(span?.lowerBound ?? start, start)...max(span?.upperBound ?? end, end)
        }
        if let span, let latest {
            let all = Self.extend(span, to: times)
            // The start has lost a part of its second, and the end with it: records are not later than that.
            return all.upperBound.isInTheSecond(after: latest) ? all.lowerBound...latest : all
        }
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }

    /// Extends a span to the records before and after it: the sessions of some devices are too short.
    private static func extend(
        _ span: ClosedRange<Instant>, to times: [Instant]
    ) -> ClosedRange<Instant> {
        var (start, end) = (span.lowerBound, span.upperBound)
        let sorted = times.sorted()
        for time in sorted where time > end {
            guard time.seconds(since: end) <= maximumGapSeconds else { break }
            end = time
        }
        for time in sorted.reversed() where time < start {
            guard start.seconds(since: time) <= maximumGapSeconds else { break }
            start = time
        }
        return start...end
    }

    /// The amounts of the laps, or of the sessions when the laps have none, and of the whole.
    func totals(
        in span: ClosedRange<Instant>, _ amount: (FITMessage) -> Double?
    ) -> ImportTotals {
        func known(_ message: FITMessage) -> Double? {
            amount(message).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
        let whole = sessions.compactMap(known)
        let ofLaps = laps.compactMap(known)
        let parts = ofLaps.isEmpty ? sessions : laps
        return ImportTotals(
            parts: Self.spans(of: parts, in: span).compactMap { part in
                known(part.message).map { ImportDraft.Amount(span: part.span, value: $0) }
            },
            total: (whole.isEmpty ? ofLaps : whole).reduce(0, +))
    }

    /// The spans in order, each until the next one at the latest; those outside the workout are cut.
    private static func spans(
        of messages: [FITMessage], in whole: ClosedRange<Instant>
    ) -> [(message: FITMessage, span: Range<Instant>)] {
        let sorted = messages.compactMap { message in message.start.map { (message, $0) } }
            .sorted { $0.1 < $1.1 }
        return sorted.enumerated().compactMap { place, part in
            let next = place + 1 < sorted.count ? sorted[place + 1].1 : whole.upperBound
            let start = max(part.1, whole.lowerBound)
            let end = min(part.0.end ?? next, next, whole.upperBound)
            return start < end ? (part.0, start..<end) : nil
        }
    }
}

extension FITMessage {
    /// The start of a lap or session.
    fileprivate var start: Instant? { instant(2) }

    /// The end of a lap or session: to the millisecond after its start, or else when it was written.
    fileprivate var end: Instant? {
        let elapsed = number(7).flatMap { seconds in start?.later(bySeconds: seconds / 1_000) }
        return elapsed ?? second.map(Instant.init(wholeSecond:))
    }
}
