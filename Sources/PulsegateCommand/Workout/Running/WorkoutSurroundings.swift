import GatewayCore
import HealthModel
import HealthStore

/// What running workouts need of the gateway around them.
struct WorkoutSurroundings: Sendable {
    /// Where samples come from, as they are measured.
    let live: LiveLane
    let clock: any GatewayClock
    let log: Logger
    /// Who wears what.
    let people: @Sendable () async -> People
    /// What is known of activities.
    let activities: @Sendable () async -> Activities
    /// Opens the store for writing; nil when no sink is one.
    let openStore: (@Sendable () throws -> HealthStore)?
    /// Publishes records.
    let take: @Sendable ([Record]) async -> Acceptance
    /// Waits until the store has what is accepted; false when that takes too long.
    let settle: @Sendable () async -> Bool
    /// The days of the calendar.
    var calendar = LocalCalendar.system
    /// The device that records a workout: this machine.
    var box = Device(name: "Pulsegate")

    /// The present time.
    func now() -> Instant { clock.epoch().instant(at: clock.now()) }
}

/// Why something was not done with a workout, for the one who asked.
struct WorkoutProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
