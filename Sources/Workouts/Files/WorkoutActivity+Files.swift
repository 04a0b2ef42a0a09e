import HealthModel

/// What files count of an activity, and as what the model has it.
extension WorkoutActivity {
    /// A cadence in files.
    struct FileCadence {
        /// The type that it is here.
        let type: QuantityType
        /// How many of it make one that files count: they count a runner's steps with one foot, as they
        /// count the turns of a crank.
        let each: Double
    }

    /// One of HealthKit's activities by its name or number, else one of a name of its own.
    init?(named name: String) {
        if let type = WorkoutActivityType.named(name) {
            self.init(type)
        } else if let number = UInt(name), number > 0 {
            self.init(number: number)
        } else {
            self.init(customName: name)
        }
    }

    /// Its cadence; nil where files count strokes or nothing.
    var fileCadence: FileCadence? {
        switch type {
        case .cycling, .handCycling: FileCadence(type: .cyclingCadence, each: 1)
        case .rowing, .paddleSports, .swimming, .wheelchairRunPace, .wheelchairWalkPace: nil
        default: FileCadence(type: .runningCadence, each: 2)
        }
    }

    /// The type of a distance that is read; nil where the model has none.
    var readDistance: QuantityType? {
        switch type {
        case .cycling, .handCycling: .distanceCycling
        case .swimming: .distanceSwimming
        case .rowing, .paddleSports, .sailing, .surfingSports, .downhillSkiing, .snowboarding,
            .crossCountrySkiing, .wheelchairRunPace, .wheelchairWalkPace, .skatingSports,
            .waterSports, .equestrianSports:
            nil
        default: .distanceWalkingRunning
        }
    }

    /// The type of a speed that is read; nil where the model has none.
    var readSpeed: QuantityType? {
        switch type {
        case .cycling, .handCycling: .cyclingSpeed
        case .running, .trackAndField: .runningSpeed
        default: readDistance == .distanceWalkingRunning ? .walkingSpeed : nil
        }
    }
}

extension RecordedWorkout {
    /// The cadence that is written; nil where none was measured that files of this activity have.
    var fileCadence: WorkoutActivity.FileCadence? {
        guard let cadence = workout.activity.fileCadence,
            isMeasured(cadence.type)
        else { return nil }
        return cadence
    }

    /// The distances that count.
    var fileDistances: [QuantityType] { workout.activity.distances(measured: isMeasured) }

    /// The speed that counts.
    var fileSpeed: QuantityType? { workout.activity.speedTypes.first(where: isMeasured) }

    private func isMeasured(_ type: QuantityType) -> Bool {
        samples.contains { $0.type == type }
    }
}
