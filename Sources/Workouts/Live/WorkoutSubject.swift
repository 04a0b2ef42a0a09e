package import GatewayCore
package import HealthModel
import HealthStatistics

/// What is known of the person who works out, as far as it is needed for figures.
package struct WorkoutSubject: Sendable, Hashable {
    /// The zones of the person; nil when they are not known.
    package var zones: HeartRateZones?
    /// The energy by the heart rate; nil when what it needs is not known.
    package var energy: HeartRateEnergy?
    /// What the body needs at rest, in kcal/h; nil when the height is not known.
    package var restingKilocaloriesPerHour: Double?
    /// What the activity takes, in kcal/h; nil when nobody said.
    package var activityKilocaloriesPerHour: Double?
    /// Which of several devices is preferred, by local identifier.
    package var roles: [String: People.Role]

    /// Nothing is known but what is given.
    package init(
        zones: HeartRateZones? = nil, energy: HeartRateEnergy? = nil,
        restingKilocaloriesPerHour: Double? = nil, activityKilocaloriesPerHour: Double? = nil,
        roles: [String: People.Role] = [:]
    ) {
        self.zones = zones
        self.energy = energy
        self.restingKilocaloriesPerHour = restingKilocaloriesPerHour
        self.activityKilocaloriesPerHour = activityKilocaloriesPerHour
        self.roles = roles
    }

    /// What can be reckoned of a person on a day; what is not known is left out.
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
            energy: try? HeartRateEnergy(person, bodyMass: bodyMass, on: day),
            restingKilocaloriesPerHour: resting.flatMap { try? $0.value(in: .kilocaloriePerDay) }
                .map { $0 / 24 },
            activityKilocaloriesPerHour: activityKilocaloriesPerHour, roles: roles)
    }

    /// The equation that is used, and what it is called.
    var heartEnergy: (equation: HeartRateEnergy, method: EnergyMethod)? {
        guard let energy else { return nil }
        guard let resting = restingKilocaloriesPerHour else { return (energy, .heartRateWithRest) }
        return (energy.lessRest(kilocaloriesPerHour: resting), .heartRate)
    }
}
