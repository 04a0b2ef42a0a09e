package import GatewayCore
package import HealthModel
package import Platform
import Readings

/// The services of the gateway that workouts use.
package struct WorkoutDependencies: Sendable {
    /// The live lane of samples and device events.
    package let live: LiveLane
    /// The clock.
    package let clock: any GatewayClock
    /// The clock that dates samples.
    package let dated: DatedClock
    /// The logger.
    package let log: Logger
    /// The configured people and their devices.
    package let people: @Sendable () async -> People
    /// The activities of the configuration.
    package let activities: @Sendable () async -> Activities
    /// The location of the store; nil when no sink is a store.
    package let storeLocation: @Sendable () async throws -> WorkoutStoreLocation?
    /// Publishes records to the journal.
    package let publish: @Sendable ([Record]) async -> Acceptance
    /// Waits until the store has all accepted records; false after a timeout.
    package let waitForStore: @Sendable () async -> Bool
    /// The local calendar.
    package let calendar: LocalCalendar
    /// The device that records workouts: this machine.
    package let gatewayDevice: Device
    /// The source revision of workout records.
    package let source: SourceRevision

    /// Creates a value from its parts.
    package init(
        live: LiveLane, clock: any GatewayClock, version: String, earliest: Instant,
        log: Logger, people: @escaping @Sendable () async -> People,
        activities: @escaping @Sendable () async -> Activities,
        storeLocation: @escaping @Sendable () async throws -> WorkoutStoreLocation?,
        publish: @escaping @Sendable ([Record]) async -> Acceptance,
        waitForStore: @escaping @Sendable () async -> Bool, calendar: LocalCalendar = .system
    ) {
        self.live = live
        source = SourceRevision(name: "workout", version: version)
        gatewayDevice = Device(name: "Pulsegate", softwareVersion: version)
        self.clock = clock
        dated = DatedClock(clock, earliest: earliest)
        self.log = log
        self.people = people
        self.activities = activities
        self.storeLocation = storeLocation
        self.publish = publish
        self.waitForStore = waitForStore
        self.calendar = calendar
    }

    /// The present time; the time of the unset clock before the clock is set.
    package func now() -> Instant { dated.now() ?? clock.epoch().instant(at: clock.now()) }
}

/// The reason why a workout request was rejected.
package struct WorkoutProblem: Error, Equatable, CustomStringConvertible {
    /// The message.
    package let description: String

    /// Creates a problem with a message.
    package init(_ description: String) { self.description = description }
}

extension WorkoutProblem {
    /// The stored session of a person cannot be read.
    static func unreadable(of person: String) -> WorkoutProblem {
        WorkoutProblem(
            "cannot read the stored workout of \(person); discard it: "
                + "`pulsegate workout discard --person \(person)`")
    }
}
