package import Platform
package import Workouts

/// What the keys of the workout screen mean, one after the other.
package struct WorkoutKeys {
    /// What a key asks for.
    package enum Command: Equatable {
        case pause, resume, lap, stop, leave
    }

    /// A second `s` counts for so long, in seconds.
    package static let questionSeconds = 10.0

    /// Whether the workout goes on without the one who leaves; else leaving means to stop it.
    package var canLeave = true
    private var asked: BootInstant?

    /// Makes it before any key was pressed.
    package init() {}

    /// Whether a second `s` would stop the workout.
    package func asksToStop(at time: BootInstant) -> Bool {
        asked.map { time.seconds(since: $0) <= Self.questionSeconds } ?? false
    }

    /// What a key asks for in a state; nil when that is nothing, or a question first.
    package mutating func command(
        of key: Character, in state: WorkoutState, at time: BootInstant
    ) -> Command? {
        let wasAsked = asksToStop(at: time)
        asked = nil
        let isActive = state == .running || state == .paused
        switch key {
        case "q" where canLeave || !isActive, "Q" where canLeave || !isActive: return .leave
        case "s", "S", "q", "Q":
            guard isActive else { return nil }
            if wasAsked { return .stop }
            asked = time
            return nil
        // Whoever was asked and presses another key only wants to go on.
        case _ where wasAsked: return nil
        case "p", "P", " ":
            return state == .running ? .pause : state == .paused ? .resume : nil
        case "l", "L": return state == .running ? .lap : nil
        default: return nil
        }
    }
}
