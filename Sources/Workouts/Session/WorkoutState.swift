/// How far a workout is; the numbers are those of HKWorkoutSessionState.
package enum WorkoutState: Int, Hashable, Sendable, CaseIterable {
    /// Nothing has happened.
    case notStarted = 1
    /// It goes on.
    case running = 2
    /// It is over, and kept or discarded.
    case ended = 3
    /// It pauses.
    case paused = 4
    /// The sensors are awaited.
    case prepared = 5
    /// The effort is over; what still comes belongs to it, such as the recovery of the heart.
    case stopped = 6

    /// The name in JSON and for users.
    package var name: String { String(describing: self) }
}
