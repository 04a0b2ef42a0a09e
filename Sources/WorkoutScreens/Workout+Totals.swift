package import HealthModel

extension Workout {
    /// The sum of all distances in meters; nil if there is none.
    package var distance: Quantity? {
        let meters = totals.filter { $0.type.name.hasPrefix("distance") }
            .compactMap { $0.sum?.converted(to: .meter)?.value }
        return meters.isEmpty ? nil : try? Quantity(meters.reduce(0, +), .meter)
    }

    /// The active energy in kilocalories.
    package var activeEnergy: Quantity? {
        totals.first { $0.type == .activeEnergyBurned }?.sum?.converted(to: .kilocalorie)
    }

    /// The average heart rate in count/min.
    package var averageHeartRate: Quantity? {
        totals.first { $0.type == .heartRate }?.average?.converted(to: .countPerMinute)
    }
}
