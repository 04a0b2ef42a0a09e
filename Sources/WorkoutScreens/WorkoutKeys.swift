package import Platform
package import Workouts

/// The key bindings of the workout screen, with the confirmation before a stop.
package struct WorkoutKeys {
    /// A command of a key.
    package enum Command: Equatable {
        case pause, resume, lap, stop, leave
    }

    /// Time in which a second `s` confirms the stop, in seconds.
    package static let confirmationSeconds = 10.0

    /// Whether the workout continues after leaving; if not, leaving stops it.
    package var canLeave = true
    private var asked: BootInstant?

    /// Creates the bindings before any key press.
    package init() {}

    /// Whether a second `s` would stop the workout.
    package func isConfirmingStop(at time: BootInstant) -> Bool {
        asked.map { time.seconds(since: $0) <= Self.confirmationSeconds } ?? false
    }

    /// The command of a key in a state; nil if it has none or must be confirmed.
    package mutating func command(
        of key: Character, in state: WorkoutState, at time: BootInstant
    ) -> Command? {
        let wasAsked = isConfirmingStop(at: time)
        asked = nil
        let isActive = state == .running || state == .paused
        switch key {
        case "q" where canLeave || !isActive, "Q" where canLeave || !isActive: return .leave
        case "s", "S", "q", "Q":
            guard isActive else { return nil }
            if wasAsked { return .stop }
            asked = time
            return nil
        // Any other key cancels the confirmation.
        case _ where wasAsked: return nil
        case "p", "P", " ":
            return state == .running ? .pause : state == .paused ? .resume : nil
        case "l", "L": return state == .running ? .lap : nil
        default: return nil
        }
    }
}
