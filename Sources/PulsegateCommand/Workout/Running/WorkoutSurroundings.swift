import GatewayCore
import HealthModel

/// What running workouts need of the gateway around them.
struct WorkoutSurroundings: Sendable {
    /// Where samples come from, as they are measured.
    let live: LiveLane
    let clock: any GatewayClock
    /// The time as samples are dated.
    let dated: DatedClock
    let log: Logger
    /// Who wears what.
    let people: @Sendable () async -> People
    /// What is known of activities.
    let activities: @Sendable () async -> Activities
    /// Where workouts are kept now; nil when no sink is a store.
    let place: @Sendable () async throws -> WorkoutPlace?
    /// Publishes records.
    let take: @Sendable ([Record]) async -> Acceptance
    /// Waits until the store has what is accepted; false when that takes too long.
    let settle: @Sendable () async -> Bool
    /// The days of the calendar.
    let calendar: LocalCalendar
    /// The device that records a workout: this machine.
    let box = Device(name: "Pulsegate", softwareVersion: Version.current)

    init(
        live: LiveLane, clock: any GatewayClock, earliest: Instant = Version.earliestTime,
        log: Logger, people: @escaping @Sendable () async -> People,
        activities: @escaping @Sendable () async -> Activities,
        place: @escaping @Sendable () async throws -> WorkoutPlace?,
        take: @escaping @Sendable ([Record]) async -> Acceptance,
        settle: @escaping @Sendable () async -> Bool, calendar: LocalCalendar = .system
    ) {
        self.live = live
        self.clock = clock
        dated = DatedClock(clock, earliest: earliest)
        self.log = log
        self.people = people
        self.activities = activities
        self.place = place
        self.take = take
        self.settle = settle
        self.calendar = calendar
    }

    /// The present time; before the clock is set, whatever that shows.
    func now() -> Instant { dated.now() ?? clock.epoch().instant(at: clock.now()) }
}

/// Why something was not done with a workout, for the one who asked.
struct WorkoutProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
