import HealthModel

/// A call on a session was refused; nothing has changed.
package enum WorkoutSessionError: Error, Equatable, CustomStringConvertible {
    /// The call does not fit the state.
    case notAllowed(WorkoutSession.Call, WorkoutState)
    /// There is room for no more events, only for the end.
    case tooManyEvents
    /// The facts beside an event are too long.
    case metadataTooLong

    /// The message, with what mends it.
    package var description: String {
        switch self {
        case .notAllowed(let call, let state):
            "cannot \(call.words) a workout that \(Self.words(state)); \(Self.remedy(call, state))"
        case .tooManyEvents:
            "a workout has at most \(Workout.maximumEventCount) events; stop it and start another one"
        case .metadataTooLong:
            "the facts beside an event are longer than \(WorkoutSession.maximumMetadataSize) bytes; "
                + "shorten them"
        }
    }

    private static func words(_ state: WorkoutState) -> String {
        switch state {
        case .notStarted: "has not started"
        case .prepared: "only waits for its sensors"
        case .running: "is running"
        case .paused: "is paused"
        case .stopped: "has stopped"
        case .ended: "has ended"
        }
    }

    private static func remedy(_ call: WorkoutSession.Call, _ state: WorkoutState) -> String {
        switch (state, call) {
        case (.ended, _): "start another one"
        case (.stopped, _): "start another one"
        case (.notStarted, _), (.prepared, _): "start it first"
        case (.running, .resume): "it goes on already"
        case (.running, .keep), (.paused, .keep): "stop it first"
        case (.running, _): "it has begun already"
        case (.paused, .pause): "it pauses already"
        case (.paused, _): "resume it"
        }
    }
}
