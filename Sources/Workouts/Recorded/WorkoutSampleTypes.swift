package import HealthModel

extension WorkoutActivity {
    /// The types of samples that a workout is made of.
    package var sampleTypes: [QuantityType] {
        [.heartRate, .rrInterval, .stepCount, .activeEnergyBurned] + distanceTypes + speedTypes
            + cadenceTypes
    }
}

/// Which of several types says how somebody moves; the first that was measured counts, in figures as in files.
extension WorkoutActivity {
    /// Whether there is a crank.
    var isRide: Bool { type == .cycling || type == .handCycling }

    var speedTypes: [QuantityType] {
        isRide
            ? [.cyclingSpeed, .runningSpeed, .walkingSpeed]
            : [.runningSpeed, .walkingSpeed, .cyclingSpeed]
    }

    var cadenceTypes: [QuantityType] {
        isRide ? [.cyclingCadence, .runningCadence] : [.runningCadence, .cyclingCadence]
    }

    private var distanceTypes: [QuantityType] {
        if isRide { return [.distanceCycling, .distanceWalkingRunning, .distanceSwimming] }
        if type == .swimming {
            return [.distanceSwimming, .distanceWalkingRunning, .distanceCycling]
        }
        return [.distanceWalkingRunning, .distanceCycling, .distanceSwimming]
    }

    /// The types of distance that count, of those that were measured: the first, and all of them where
    /// somebody swims, rides and runs.
    func distances(measured isMeasured: (QuantityType) -> Bool) -> [QuantityType] {
        let measured = distanceTypes.filter(isMeasured)
        return type == .swimBikeRun ? measured : Array(measured.prefix(1))
    }
}
