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
            "the workout \(Self.phrase(state, call)); \(Self.remedy(state, call))"
        case .tooManyEvents:
            "the workout has the maximum of \(Workout.maximumEventCount) events; stop it and start a "
                + "new one"
        case .metadataTooLong:
            "event metadata is longer than \(WorkoutSession.maximumMetadataSize) bytes; shorten it"
        }
    }

    private static func phrase(_ state: WorkoutState, _ call: WorkoutSession.Call) -> String {
        switch (state, call) {
        case (.notStarted, _), (.prepared, _): "has not started"
        case (.running, .resume): "is not paused"
        case (.running, .start), (.running, .prepare), (.paused, .start), (.paused, .prepare):
            "has already started"
        case (.running, _): "is running"
        case (.paused, .pause): "is already paused"
        case (.paused, _): "is paused"
        case (.stopped, .stop): "has already stopped"
        case (.stopped, _): "has stopped"
        case (.ended, _): "has ended"
        }
    }

    private static func remedy(_ state: WorkoutState, _ call: WorkoutSession.Call) -> String {
        switch (state, call) {
        case (.notStarted, _), (.prepared, _): "start it first: `pulsegate workout start`"
        case (.running, .resume): "pause it with `pulsegate workout pause`"
        case (.paused, .pause): "resume it with `pulsegate workout resume`"
        case (.running, _), (.paused, _): "stop it first: `pulsegate workout stop`"
        case (.stopped, _), (.ended, _): "start a new one: `pulsegate workout start`"
        }
    }
}
