import HealthModel

/// What the samples of a workout come to: the same for a display while it lasts and for its record.
///
/// Samples wait for a minute before they are added up, so that a lap or a pause that is told a moment late
/// still divides them exactly, and so that it is known which device counts. So the memory that is needed
/// does not grow with the length of the workout, but with its laps and pauses.
struct WorkoutTally: Sendable {
    /// So long samples wait.
    static let waitSeconds = 60.0
    private static let settleEverySeconds = 10.0
    /// More types of samples are left aside.
    private static let maximumTypeCount = 64
    /// A device is silent when it says nothing for so long.
    static let heartLimitSeconds = 5.0
    static let otherLimitSeconds = 10.0

    private(set) var timeline: WorkoutTimeline
    let activity: WorkoutActivity
    let subject: WorkoutSubject
    private(set) var curves: [QuantityType: CurveTrack] = [:]
    private(set) var counts: [QuantityType: CountTrack] = [:]
    private(set) var beats: BeatTrack
    private var newest: Instant
    private var settledAt: Instant
    private let collects: Bool

    /// - Parameter collects: Whether to note which samples count.
    init(
        _ timeline: WorkoutTimeline, activity: WorkoutActivity, subject: WorkoutSubject,
        collects: Bool = false
    ) {
        self.timeline = timeline
        self.activity = activity
        self.subject = subject
        self.collects = collects
        beats = BeatTrack(
            limitSeconds: Self.heartLimitSeconds, cells: timeline.cells.count, collects: collects)
        newest = timeline.span.lowerBound
        settledAt = newest
    }

    // MARK: Samples

    /// The value of a sample that can count, in the canonical unit; nil for what was entered by hand, was
    /// computed, or is not plausible.
    static func value(of sample: QuantitySample) -> Double? {
        let metadata = sample.metadata
        guard metadata.isEmpty || metadata[.wasUserEntered] != true && metadata[.method] == nil,
            let value = try? sample.quantity.value(in: sample.type.canonicalUnit),
            sample.type.plausibleRange?.contains(value) ?? true
        else { return nil }
        return value
    }

    /// Takes a sample; one that has no part in the workout is left aside.
    mutating func take(_ sample: QuantitySample, index: Int = 0) {
        guard let value = Self.value(of: sample) else { return }
        let span = timeline.span
        if sample.type.isCumulative {
            guard sample.end > span.lowerBound, sample.start < span.upperBound else { return }
            count(value, of: sample, index)
        } else {
            // What goes on beyond the start or the end cannot be told from one side of it.
            guard sample.start >= span.lowerBound, sample.end <= span.upperBound else { return }
            if sample.type == .rrInterval {
                beats.take(value, of: sample, index: index, timeline, subject)
            } else {
                read(value, of: sample, index)
            }
        }
        newest = max(newest, sample.end)
        guard newest.seconds(since: settledAt) >= Self.settleEverySeconds else { return }
        settledAt = newest
        settle(until: newest.later(bySeconds: -Self.waitSeconds), known: newest)
    }

    private mutating func read(_ value: Double, of sample: QuantitySample, _ index: Int) {
        let type = sample.type
        if curves[type] == nil {
            guard curves.count < Self.maximumTypeCount else { return }
            let limit = type == .heartRate ? Self.heartLimitSeconds : Self.otherLimitSeconds
            curves[type] = CurveTrack(
                type, limitSeconds: limit, cells: timeline.cells.count, collects: collects)
        }
        curves[type]?.take(value, of: sample, index: index, timeline, subject)
    }

    private mutating func count(_ amount: Double, of sample: QuantitySample, _ index: Int) {
        let type = sample.type
        if counts[type] == nil {
            guard counts.count < Self.maximumTypeCount else { return }
            counts[type] = CountTrack(type, cells: timeline.cells.count, collects: collects)
        }
        counts[type]?.take(amount, of: sample, index: index, timeline, subject)
    }

    // MARK: Time

    /// The workout is divided anew: by another lap or pause, or by its end.
    mutating func divide(by new: WorkoutTimeline) {
        guard new != timeline else { return }
        for type in Array(curves.keys) { curves[type]?.move(from: timeline, to: new) }
        for type in Array(counts.keys) { counts[type]?.move(from: timeline, to: new) }
        beats.move(from: timeline, to: new)
        timeline = new
    }

    /// All that is known at a time, added up.
    func settled(at time: Instant) -> WorkoutTally {
        var tally = self
        tally.settle(until: time, known: time)
        tally.beats.finish(timeline)
        return tally
    }

    private mutating func settle(until limit: Instant, known: Instant) {
        // What comes after the end says nothing about a device before it.
        let known = min(known, timeline.span.upperBound)
        for type in Array(curves.keys) {
            curves[type]?.settle(until: limit, known: known, timeline, subject)
        }
        for type in Array(counts.keys) { counts[type]?.settle(until: limit, timeline) }
        beats.settle(until: limit, known: known, timeline)
    }
}
