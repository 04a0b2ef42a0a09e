import HealthModel

/// The statistics of a workout, calculated from samples: the same for live display and for the
/// record.
///
/// Samples wait for a minute before they are summed up, so that a lap or pause that arrives late
/// still splits them exactly, and so that the device to use is known. Memory does not grow with the
/// length of the workout, but with its laps and pauses.
struct WorkoutTally: Sendable {
    /// How long samples wait, in seconds.
    static let waitSeconds = 60.0
    private static let settleEverySeconds = 10.0
    /// The maximum number of sample types; more are ignored.
    private static let maximumTypeCount = 64
    /// The time without a reading after which a device counts as silent, in seconds.
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

    /// - Parameter collects: Whether to record which samples are used.
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

    /// The value of a usable sample in the canonical unit; nil when the sample was manually
    /// entered, was calculated, or is not plausible.
    static func value(of sample: QuantitySample) -> Double? {
        let metadata = sample.metadata
        guard metadata.isEmpty || metadata[.wasUserEntered] != true && metadata[.method] == nil,
            let value = try? sample.quantity.value(in: sample.type.canonicalUnit),
            sample.type.plausibleRange?.contains(value) ?? true
        else { return nil }
        return value
    }

    /// Adds a sample; one outside the workout is ignored.
    mutating func add(_ sample: QuantitySample, index: Int = 0) {
        guard let value = Self.value(of: sample) else { return }
        let span = timeline.span
        if sample.type.isCumulative {
            guard sample.end > span.lowerBound, sample.start < span.upperBound else { return }
            addCount(value, of: sample, index)
        } else {
            // A sample across the start or the end cannot be split.
            guard sample.start >= span.lowerBound, sample.end <= span.upperBound else { return }
            if sample.type == .rrInterval {
                beats.enqueue(value, of: sample, index: index, timeline, subject)
            } else {
                addReading(value, of: sample, index)
            }
        }
        newest = max(newest, sample.end)
        guard newest.seconds(since: settledAt) >= Self.settleEverySeconds else { return }
        settledAt = newest
        settle(until: newest.later(bySeconds: -Self.waitSeconds), known: newest)
    }

    private mutating func addReading(_ value: Double, of sample: QuantitySample, _ index: Int) {
        let type = sample.type
        if curves[type] == nil {
            guard curves.count < Self.maximumTypeCount else { return }
            let limit = type == .heartRate ? Self.heartLimitSeconds : Self.otherLimitSeconds
            curves[type] = CurveTrack(
                type, limitSeconds: limit, cells: timeline.cells.count, collects: collects)
        }
        curves[type]?.enqueue(value, of: sample, index: index, timeline, subject)
    }

    private mutating func addCount(_ amount: Double, of sample: QuantitySample, _ index: Int) {
        let type = sample.type
        if counts[type] == nil {
            guard counts.count < Self.maximumTypeCount else { return }
            counts[type] = CountTrack(type, cells: timeline.cells.count, collects: collects)
        }
        counts[type]?.enqueue(amount, of: sample, index: index, timeline, subject)
    }

    // MARK: Time

    /// Applies a new division of the workout: by a lap, a pause, or its end.
    mutating func divide(by new: WorkoutTimeline) {
        guard new != timeline else { return }
        for type in Array(curves.keys) { curves[type]?.move(from: timeline, to: new) }
        for type in Array(counts.keys) { counts[type]?.move(from: timeline, to: new) }
        beats.move(from: timeline, to: new)
        timeline = new
    }

    /// Returns the statistics with all samples until a time summed up.
    func settled(at time: Instant) -> WorkoutTally {
        var tally = self
        tally.settle(until: time, known: time)
        tally.beats.finish(timeline)
        return tally
    }

    private mutating func settle(until limit: Instant, known: Instant) {
        // Readings after the end do not show that a device was available before it.
        let known = min(known, timeline.span.upperBound)
        for type in Array(curves.keys) {
            curves[type]?.settle(until: limit, known: known, timeline, subject)
        }
        for type in Array(counts.keys) { counts[type]?.settle(until: limit, timeline) }
        beats.settle(until: limit, known: known, timeline)
    }
}
