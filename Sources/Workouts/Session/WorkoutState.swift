/// The state of a workout session, with the raw values of HKWorkoutSessionState.
package enum WorkoutState: Int, Hashable, Sendable, CaseIterable {
    /// The session has not started.
    case notStarted = 1
    /// The session is running.
    case running = 2
    /// The session has ended: it is saved or discarded.
    case ended = 3
    /// The session is paused.
    case paused = 4
    /// The session is prepared: sensors may connect.
    case prepared = 5
    /// The effort is over; samples may still arrive, for example for the heart rate recovery.
    case stopped = 6

    /// The name in JSON and on screens.
    package var name: String { String(describing: self) }
}
