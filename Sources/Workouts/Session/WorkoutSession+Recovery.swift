package import HealthModel

extension WorkoutSession {
    /// What a recovery came to.
    package enum Recovery: Hashable, Sendable {
        /// Nothing was missed.
        case nothing
        /// It goes on; nothing was measured in the gap.
        case gap(Range<Instant>)
        /// Nobody was there for so long that it stopped when it was last seen.
        case stopped(Instant)
    }

    /// After a longer time nobody goes on with a workout.
    package static let longestGapSeconds = 3_600.0

    /// Goes on after the gateway was gone.
    ///
    /// The gap becomes a part of the workout, with the metadata `PulsegateGap`; its time counts, but
    /// nothing was measured in it. After more than an hour it stops, when it was last seen.
    /// - Parameter lastSeen: When it was last known to go on.
    @discardableResult
    package mutating func recover(lastSeen: Instant, at time: Instant) -> Recovery {
        let seen = max(lastSeen, lastTime ?? lastSeen)
        guard time > seen else { return .nothing }
        let isTooLong = time.seconds(since: seen) > Self.longestGapSeconds
        switch state {
        case .running, .paused:
            guard !isTooLong else {
                (state, endedAt, lastTime) = (.stopped, seen, seen)
                return .stopped(seen)
            }
            addGap(from: seen, to: time)
            return .gap(seen..<time)
        case .notStarted, .prepared:
            guard isTooLong else { return .nothing }
            (state, lastTime) = (.ended, seen)
            return .stopped(seen)
        case .stopped, .ended: return .nothing
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
    /// Why nothing was measured in a part of a workout.
    package static var gap: Self { Self("PulsegateGap") }
    /// The name of the device that stood in for the primary one in a part of a workout.
    package static var backupDevice: Self { Self("PulsegateBackupDevice") }
    /// The workout that a sample was computed for.
    package static var workout: Self { Self("PulsegateWorkout") }
    /// How a sample was computed.
    package static var method: Self { Self("PulsegateMethod") }
}
