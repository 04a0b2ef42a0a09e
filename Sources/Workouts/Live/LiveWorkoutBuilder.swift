package import HealthModel

/// Builds the live state of a workout from the records of the live lane.
///
/// It is a value without a clock. Its statistics follow from the session and the added records, by
/// the same rules as those of ``RecordedWorkout``, so that both are equal when no record was
/// dropped.
package struct LiveWorkoutBuilder: Sendable {
    /// The maximum time that a sample may be in the future, in seconds.
    static let futureSeconds = 10.0
    /// The length of the plot, and the minimum time between two of its points.
    private static let plotSeconds = 600.0
    private static let plotStepSeconds = 2.0
    private static let maximumGapCount = 1_024

    /// The session after the last call.
    package private(set) var session: WorkoutSession
    /// The facts about the person.
    package let subject: WorkoutSubject

    private var tally: WorkoutTally?
    private var heart = FreshReadings(limitSeconds: WorkoutTally.heartLimitSeconds)
    private var speeds: [QuantityType: FreshReadings] = [:]
    /// The types whose newest reading is shown.
    private let shownTypes: Set<QuantityType>
    private var plot: [(time: Instant, rate: Double)] = []
    private var gaps: [Range<Instant>] = []

    /// Creates a builder without records.
    package init(session: WorkoutSession, subject: WorkoutSubject) {
        self.session = session
        self.subject = subject
        let activity = session.activity
        shownTypes = Set(
            [.heartRate] + activity.speedTypes + activity.cadenceTypes + activity.powerTypes)
        tally = Self.tally(of: session, subject)
    }

    /// Updates the session after a call on it.
    package mutating func update(_ session: WorkoutSession) {
        self.session = session
        guard let timeline = WorkoutTimeline(session) else { return }
        if tally == nil {
            tally = Self.tally(of: session, subject)
        } else {
            tally?.divide(by: timeline)
        }
    }

    private static func tally(of session: WorkoutSession, _ subject: WorkoutSubject)
        -> WorkoutTally?
    {
        WorkoutTimeline(session).map {
            WorkoutTally($0, activity: session.activity, subject: subject)
        }
    }

    /// Adds a sample or a device event; records of other people or of other kinds are ignored.
    ///
    /// - Parameter now: The present moment; without it a time in the future is believed.
    package mutating func add(_ record: Record, at now: Instant? = nil) {
        guard record.person == nil || record.person == session.person else { return }
        switch record {
        case .sample(let sample):
            if let now, sample.end.seconds(since: now) > Self.futureSeconds { return }
            // It belongs to another workout, or was calculated for this one.
            guard sample.metadata[.workout] == nil else { return }
            tally?.add(sample)
            show(sample)
        case .event(let event): heart.update(event, roles: subject.roles)
        default: break
        }
    }

    /// Records a gap between two times in which records were dropped.
    package mutating func noteGap(from start: Instant, to end: Instant) {
        guard gaps.count < Self.maximumGapCount else { return }
        gaps.append(start..<max(start, end))
    }

    // MARK: Display

    private mutating func show(_ sample: QuantitySample) {
        guard shownTypes.contains(sample.type), let value = WorkoutTally.value(of: sample) else {
            return
        }
        guard sample.type == .heartRate else {
            speeds[
                sample.type, default: FreshReadings(limitSeconds: WorkoutTally.otherLimitSeconds)
            ].update(value, of: sample, roles: subject.roles)
            return
        }
        heart.update(value, of: sample, roles: subject.roles)
        guard let newest = heart.newest(at: sample.end), newest.time == sample.end else { return }
        addPoint(newest.value, at: newest.time)
    }

    private mutating func addPoint(_ rate: Double, at time: Instant) {
        if let last = plot.last, time.seconds(since: last.time) < Self.plotStepSeconds { return }
        plot.append((time, rate))
        let oldest = time.later(bySeconds: -Self.plotSeconds)
        // The points are in time order.
        plot.removeFirst(plot.firstIndex { $0.time >= oldest } ?? 0)
    }

    /// The live state of the workout at a time.
    package func snapshot(at time: Instant) -> LiveWorkout {
        var live = LiveWorkout(
            id: session.id, person: session.person, activity: session.activity,
            location: session.location, state: session.state, at: time,
            start: session.startedAt ?? time)
        live.heart = heart.heart(at: time, zones: subject.zones)
        live.speed = newest(of: session.activity.speedTypes, at: time)
        live.cadence = newest(of: session.activity.cadenceTypes, at: time)
        live.power = newest(of: session.activity.powerTypes, at: time)
        live.zoneBounds = subject.zones?.lowerBounds ?? []
        live.gapCount = gapCount
        live.plot = plot.compactMap { point in
            let secondsAgo = time.seconds(since: point.time)
            guard secondsAgo <= Self.plotSeconds else { return nil }
            return LiveWorkout.Point(secondsAgo: max(0, secondsAgo), rate: point.rate)
        }
        guard let tally = tally?.settled(at: time) else { return live }
        let lap = max(1, session.laps(at: time).count)
        live.measures = tally.measures(at: time)
        live.lapNumber = lap
        live.lap = tally.measures(ofLap: lap - 1, at: time)
        live.rmssdMilliseconds = tally.beats.recentRMSSD(at: time)
        return live
    }

    private func newest(of types: [QuantityType], at time: Instant) -> Double? {
        types.lazy.compactMap { speeds[$0]?.newest(at: time)?.value }.first
    }

    /// The number of gaps; one that the session has too counts once.
    private var gapCount: Int {
        let known = session.events.filter { $0.metadata[.gap] != nil }.map { $0.start..<$0.end }
        let all = (known + gaps).sorted { $0.lowerBound < $1.lowerBound }
        var count = 0
        var end: Instant?
        for gap in all {
            if let reached = end, gap.lowerBound <= reached {
                end = max(reached, gap.upperBound)
            } else {
                count += 1
                end = gap.upperBound
            }
        }
        return count
    }

    // MARK: Record

    /// The spans in which a backup strap was used, as known at a time.
    package func backupSpans(at time: Instant) -> [BackupSpan] {
        tally?.settled(at: time).curves[.heartRate]?.backups.spans ?? []
    }

    /// The energy of each interval so far, where it is known.
    package func energies(at time: Instant) -> [IntervalEnergy] {
        tally?.settled(at: time).energies(at: time) ?? []
    }
}
