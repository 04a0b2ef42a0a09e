package import HealthModel

extension WorkoutActivity {
    /// The types of samples that a workout is made of.
    package var sampleTypes: [QuantityType] {
        [.heartRate, .rrInterval, .stepCount, .activeEnergyBurned] + distanceTypes + speedTypes
            + cadenceTypes
    }
}
