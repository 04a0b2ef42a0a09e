package import HealthModel

extension Workout {
    /// The sum of its distances, in meters; nil when it has none.
    package var distance: Quantity? {
        let meters = totals.filter { $0.type.name.hasPrefix("distance") }
            .compactMap { $0.sum?.converted(to: .meter)?.value }
        return meters.isEmpty ? nil : try? Quantity(meters.reduce(0, +), .meter)
    }

    /// Its active energy, in kilocalories.
    package var activeEnergy: Quantity? {
        totals.first { $0.type == .activeEnergyBurned }?.sum?.converted(to: .kilocalorie)
    }

    /// Its average heart rate, in beats a minute.
    package var averageHeartRate: Quantity? {
        totals.first { $0.type == .heartRate }?.average?.converted(to: .countPerMinute)
    }
}
