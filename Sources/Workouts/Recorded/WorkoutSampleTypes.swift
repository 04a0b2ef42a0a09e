package import HealthModel

extension WorkoutActivity {
    /// The sample types of a workout.
    package var sampleTypes: [QuantityType] {
        [.heartRate, .rrInterval, .stepCount, .activeEnergyBurned] + distanceTypes + speedTypes
            + cadenceTypes + powerTypes
    }
}

/// The preference among types that measure the same: the first measured one is used, in statistics
/// and in files.
extension WorkoutActivity {
    /// Whether the activity has a crank.
    var isRide: Bool { type == .cycling || type == .handCycling }

    /// The speed types, the preferred one first.
    package var speedTypes: [QuantityType] {
        if isRide { return [.cyclingSpeed, .runningSpeed, .walkingSpeed] }
        return (type == .rowing ? [.rowingSpeed] : [])
            + [.runningSpeed, .walkingSpeed, .cyclingSpeed]
    }

    var cadenceTypes: [QuantityType] {
        isRide ? [.cyclingCadence, .runningCadence] : [.runningCadence, .cyclingCadence]
    }

    /// The power types, the preferred one first.
    package var powerTypes: [QuantityType] {
        isRide ? [.cyclingPower, .runningPower] : [.runningPower, .cyclingPower]
    }

    /// The types that say how fast and how strong somebody is at this moment.
    static let momentaryTypes: Set<QuantityType> = [
        .runningSpeed, .walkingSpeed, .cyclingSpeed, .rowingSpeed, .runningCadence,
        .cyclingCadence, .runningPower, .cyclingPower,
    ]

    private var distanceTypes: [QuantityType] {
        if isRide { return [.distanceCycling, .distanceWalkingRunning, .distanceSwimming] }
        if type == .swimming {
            return [.distanceSwimming, .distanceWalkingRunning, .distanceCycling]
        }
        return (type == .rowing ? [.distanceRowing] : [])
            + [.distanceWalkingRunning, .distanceCycling, .distanceSwimming]
    }

    /// The distance types to use among the measured ones: the first, or all of them for
    /// swim-bike-run.
    package func distances(measured isMeasured: (QuantityType) -> Bool) -> [QuantityType] {
        let measured = distanceTypes.filter(isMeasured)
        return type == .swimBikeRun ? measured : Array(measured.prefix(1))
    }
}
