import HealthModel

/// The reason why a call on a session was rejected; nothing has changed.
package enum WorkoutSessionError: Error, Equatable, CustomStringConvertible {
    /// The state does not allow the call.
    case notAllowed(WorkoutSession.Call, WorkoutState)
    /// The maximum number of events is reached; the session can only end.
    case tooManyEvents
    /// The metadata of an event is too long.
    case metadataTooLong

    /// The message, with the remedy.
    package var description: String {
        switch self {
        case .notAllowed(let call, let state):
            "cannot \(call.phrase) a workout that \(Self.phrase(state)); \(Self.remedy(call, state))"
        case .tooManyEvents:
            "a workout has up to \(Workout.maximumEventCount) events; stop it and start a new one"
        case .metadataTooLong:
            "event metadata is longer than \(WorkoutSession.maximumMetadataSize) bytes; shorten it"
        }
    }

    private static func phrase(_ state: WorkoutState) -> String {
        switch state {
        case .notStarted: "has not started"
        case .prepared: "is only prepared"
        case .running: "is running"
        case .paused: "is paused"
        case .stopped: "has stopped"
        case .ended: "has ended"
        }
    }

    private static func remedy(_ call: WorkoutSession.Call, _ state: WorkoutState) -> String {
        switch (state, call) {
        case (.ended, _), (.stopped, _): "start a new one"
        case (.notStarted, _), (.prepared, _): "start it first"
        case (.running, .resume): "it is not paused"
        case (.running, .save), (.paused, .save): "stop it first"
        case (.running, _): "it has already started"
        case (.paused, .pause): "it is already paused"
        case (.paused, _): "resume it"
        }
    }
}
