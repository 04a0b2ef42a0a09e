package import GatewayCore
package import HealthModel
import HealthStatistics

/// The facts about a person that the figures of a workout need.
package struct WorkoutSubject: Sendable, Hashable {
    /// The heart rate zones; nil when they are unknown.
    package var zones: HeartRateZones?
    /// The maximum heart rate, in count/min; nil when it is unknown.
    package var maximumHeartRate: Double?
    /// The energy equation; nil when a fact that it needs is unknown.
    package var energy: HeartRateEnergy?
    /// The resting energy, in kcal/h; nil when the height is unknown.
    package var restingKilocaloriesPerHour: Double?
    /// The configured energy of the activity, in kcal/h; nil when it is unknown.
    package var activityKilocaloriesPerHour: Double?
    /// The roles of devices, by local identifier.
    package var roles: [String: People.Role]

    /// Creates a subject from known facts.
    package init(
        zones: HeartRateZones? = nil, maximumHeartRate: Double? = nil,
        energy: HeartRateEnergy? = nil,
        restingKilocaloriesPerHour: Double? = nil, activityKilocaloriesPerHour: Double? = nil,
        roles: [String: People.Role] = [:]
    ) {
        self.zones = zones
        self.maximumHeartRate = maximumHeartRate
        self.energy = energy
        self.restingKilocaloriesPerHour = restingKilocaloriesPerHour
        self.activityKilocaloriesPerHour = activityKilocaloriesPerHour
        self.roles = roles
    }

    /// Calculates the facts about a person on a day; unknown ones are nil.
    package init(
        _ person: Person, bodyMass: Quantity? = nil, height: Quantity? = nil,
        restingHeartRate: Quantity? = nil, on day: CalendarDate,
        activityKilocaloriesPerHour: Double? = nil, roles: [String: People.Role] = [:]
    ) {
        let maximum = try? MaximumHeartRate.of(person, on: day)
        let resting = try? RestingEnergy.perDay(
            of: person, bodyMass: bodyMass, height: height, on: day)
        self.init(
            zones: maximum.flatMap {
                try? HeartRateZones(
                    person.zones ?? .standard, maximum: $0, resting: restingHeartRate)
            },
            maximumHeartRate: maximum.flatMap(HeartRate.perMinute),
            energy: try? HeartRateEnergy(person, bodyMass: bodyMass, on: day),
            restingKilocaloriesPerHour: resting.flatMap { try? $0.value(in: .kilocaloriePerDay) }
                .map { $0 / 24 },
            activityKilocaloriesPerHour: activityKilocaloriesPerHour, roles: roles)
    }

    /// The equation to use, and the method that it stands for.
    var heartEnergy: (equation: HeartRateEnergy, method: EnergyMethod)? {
        guard let energy else { return nil }
        guard let resting = restingKilocaloriesPerHour else { return (energy, .heartRateWithRest) }
        return (energy.withoutRestingEnergy(kilocaloriesPerHour: resting), .heartRate)
    }
}
