package import GatewayCore
package import HealthModel
package import Platform

/// What running workouts need of the gateway.
package struct WorkoutDependencies: Sendable {
    /// Where samples come from, as they are measured.
    package let live: LiveLane
    package let clock: any GatewayClock
    /// The time as samples are dated.
    package let dated: DatedClock
    package let log: Logger
    /// Who wears what.
    package let people: @Sendable () async -> People
    /// What is known of activities.
    package let activities: @Sendable () async -> Activities
    /// Where workouts are kept now; nil when no sink is a store.
    package let place: @Sendable () async throws -> WorkoutPlace?
    /// Publishes records.
    package let take: @Sendable ([Record]) async -> Acceptance
    /// Waits until the store has what is accepted; false when that takes too long.
    package let settle: @Sendable () async -> Bool
    /// The days of the calendar.
    package let calendar: LocalCalendar
    /// The device that records a workout: this machine.
    package let box: Device
    /// The program that makes the records of workouts.
    package let source: SourceRevision

    package init(
        live: LiveLane, clock: any GatewayClock, version: String, earliest: Instant,
        log: Logger, people: @escaping @Sendable () async -> People,
        activities: @escaping @Sendable () async -> Activities,
        place: @escaping @Sendable () async throws -> WorkoutPlace?,
        take: @escaping @Sendable ([Record]) async -> Acceptance,
        settle: @escaping @Sendable () async -> Bool, calendar: LocalCalendar = .system
    ) {
        self.live = live
        source = SourceRevision(name: "workout", version: version)
        box = Device(name: "Pulsegate", softwareVersion: version)
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
    package func now() -> Instant { dated.now() ?? clock.epoch().instant(at: clock.now()) }
}

/// Why something was not done with a workout, for the one who asked.
package struct WorkoutProblem: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension WorkoutProblem {
    /// The store has a session of a person that cannot be read.
    static func unreadable(of person: String) -> WorkoutProblem {
        WorkoutProblem(
            "\(person) has a workout in the store that cannot be read; "
                + "`pulsegate workout discard --person \(person)` lets go of it")
    }
}
