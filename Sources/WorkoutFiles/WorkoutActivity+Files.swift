import HealthModel
import Workouts

/// The quantities of an activity in workout files.
extension WorkoutActivity {
    /// The cadence of an activity in files.
    struct FileCadence {
        /// The sample type.
        let type: QuantityType
        /// The factor between the sample and the file: files count the steps of one foot, like the
        /// revolutions of a crank.
        let factor: Double
    }

    /// Creates a HealthKit activity from its name or number, or else a custom activity.
    init?(named name: String) {
        if let type = WorkoutActivityType.named(name) {
            self.init(type)
        } else if let number = UInt(name), number > 0 {
            self.init(number: number)
        } else {
            self.init(customName: name)
        }
    }

    /// The cadence; nil when files count strokes or nothing.
    var fileCadence: FileCadence? {
        switch type {
        case .cycling, .handCycling: FileCadence(type: .cyclingCadence, factor: 1)
        case .rowing, .paddleSports, .swimming, .wheelchairRunPace, .wheelchairWalkPace: nil
        default: FileCadence(type: .runningCadence, factor: 2)
        }
    }

    /// Whether the cycles of a FIT file are strides, of two steps each; for some sports they are
    /// strokes, pushes, jumps or repetitions.
    var countsStrides: Bool {
        switch type {
        case .traditionalStrengthTraining, .highIntensityIntervalTraining, .jumpRope: false
        default: fileCadence?.type == .runningCadence
        }
    }

    /// The sample type of an imported distance; nil when there is none.
    var importedDistance: QuantityType? {
        switch type {
        case .cycling, .handCycling: .distanceCycling
        case .swimming: .distanceSwimming
        case .rowing: .distanceRowing
        case .paddleSports, .sailing, .surfingSports, .downhillSkiing, .snowboarding,
            .crossCountrySkiing, .wheelchairRunPace, .wheelchairWalkPace, .skatingSports,
            .waterSports, .equestrianSports:
            nil
        default: .distanceWalkingRunning
        }
    }

    /// The sample type of an imported power; nil when there is none.
    var importedPower: QuantityType? {
        switch type {
        case .cycling, .handCycling: .cyclingPower
        default: importedDistance == .distanceWalkingRunning ? .runningPower : nil
        }
    }

    /// The sample type of an imported speed; nil when there is none.
    var importedSpeed: QuantityType? {
        switch type {
        case .cycling, .handCycling: .cyclingSpeed
        case .running, .trackAndField: .runningSpeed
        case .rowing: .rowingSpeed
        default: importedDistance == .distanceWalkingRunning ? .walkingSpeed : nil
        }
    }
}

extension RecordedWorkout {
    /// The cadence to write; nil when none was measured that files of this activity have.
    var fileCadence: WorkoutActivity.FileCadence? {
        guard let cadence = workout.activity.fileCadence,
            isMeasured(cadence.type)
        else { return nil }
        return cadence
    }

    /// The distance types to write.
    var fileDistances: [QuantityType] { workout.activity.distances(measured: isMeasured) }

    /// The speed type to write.
    var fileSpeed: QuantityType? { workout.activity.speedTypes.first(where: isMeasured) }

    /// The power type to write.
    var filePower: QuantityType? { workout.activity.powerTypes.first(where: isMeasured) }

    private func isMeasured(_ type: QuantityType) -> Bool {
        samples.contains { $0.type == type }
    }
}
