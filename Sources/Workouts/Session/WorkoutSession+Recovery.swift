package import HealthModel

extension WorkoutSession {
    /// The result of a recovery.
    package enum Recovery: Hashable, Sendable {
        /// There was no gap.
        case noGap
        /// The workout continues after a gap without samples.
        case gap(Range<Instant>)
        /// The gap was too long: the workout stopped when it was last seen.
        case stopped(Instant)
    }

    /// The longest gap after which a workout continues, in seconds.
    package static let maximumGapSeconds = 3_600.0

    /// Continues the session after a gap in which the gateway was not running.
    ///
    /// The gap becomes a segment with the metadata `PulsegateGap`; its time counts, but it has no
    /// samples. After more than an hour the session is stopped at the time when it was last seen.
    /// - Parameter lastSeen: The last time at which the workout was known to be in progress.
    @discardableResult
    package mutating func recover(lastSeen: Instant, at time: Instant) -> Recovery {
        let seen = max(lastSeen, lastTime ?? lastSeen)
        guard time > seen else { return .noGap }
        let isTooLong = time.seconds(since: seen) > Self.maximumGapSeconds
        switch state {
        case .running, .paused:
            guard !isTooLong else {
                (state, endedAt, lastTime) = (.stopped, seen, seen)
                return .stopped(seen)
            }
            addGap(from: seen, to: time)
            return .gap(seen..<time)
        case .notStarted, .prepared:
            guard isTooLong else { return .noGap }
            (state, lastTime) = (.ended, seen)
            return .stopped(seen)
        case .stopped, .ended: return .noGap
        }
    }

    private mutating func addGap(from start: Instant, to end: Instant) {
        var metadata = Metadata()
        // Both the key and the text are valid.
        try? metadata.set("the gateway was not running", for: .gap)
        guard events.count < Workout.maximumEventCount else { return }
        addSegment(from: start, to: end, metadata)
    }
}

extension MetadataKey<String> {
    /// Why a segment of a workout has no samples.
    package static var gap: Self { Self("PulsegateGap") }
    /// The name of the backup device that replaced the primary one in a segment of a workout.
    package static var backupDevice: Self { Self("PulsegateBackupDevice") }
    /// The id of the workout that a sample was calculated for or imported with.
    package static var workout: Self { Self("PulsegateWorkout") }
    /// How a sample was calculated.
    package static var method: Self { Self("PulsegateMethod") }
}
