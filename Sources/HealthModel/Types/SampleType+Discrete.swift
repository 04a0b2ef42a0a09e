/// What is averaged.
extension SampleType<DiscreteQuantity> {
    /// Beats of the heart in a minute.
    public static var heartRate: Self { Self(constant: .heartRate) }
    /// The time from one beat of the heart to the next; ours.
    public static var rrInterval: Self { Self(constant: .rrInterval) }
    /// The heart rate at rest.
    public static var restingHeartRate: Self { Self(constant: .restingHeartRate) }
    /// The average heart rate of a day's walks.
    public static var walkingHeartRateAverage: Self { Self(constant: .walkingHeartRateAverage) }
    /// The standard deviation of the times between beats; not RMSSD.
    public static var heartRateVariabilitySDNN: Self { Self(constant: .heartRateVariabilitySDNN) }
    /// How far the heart rate falls in the minute after an effort.
    public static var heartRateRecoveryOneMinute: Self {
        Self(constant: .heartRateRecoveryOneMinute)
    }
    /// The part of the time in which the heart was fibrillating.
    public static var atrialFibrillationBurden: Self { Self(constant: .atrialFibrillationBurden) }
    /// The pulsating part of the blood flow at the sensor.
    public static var peripheralPerfusionIndex: Self { Self(constant: .peripheralPerfusionIndex) }
    /// The oxygen a body can take up.
    public static var vo2Max: Self { Self(constant: .vo2Max) }
    /// The part of the haemoglobin that carries oxygen, 0 to 1.
    public static var oxygenSaturation: Self { Self(constant: .oxygenSaturation) }
    /// The pressure of the blood when the heart contracts.
    public static var bloodPressureSystolic: Self { Self(constant: .bloodPressureSystolic) }
    /// The pressure of the blood when the heart relaxes.
    public static var bloodPressureDiastolic: Self { Self(constant: .bloodPressureDiastolic) }
    /// The power of an effort for each kilogram.
    public static var physicalEffort: Self { Self(constant: .physicalEffort) }
    /// The speed of a run.
    public static var runningSpeed: Self { Self(constant: .runningSpeed) }
    /// The speed of a walk.
    public static var walkingSpeed: Self { Self(constant: .walkingSpeed) }
    /// The speed on a bicycle.
    public static var cyclingSpeed: Self { Self(constant: .cyclingSpeed) }
    /// The power of a run.
    public static var runningPower: Self { Self(constant: .runningPower) }
    /// The power on a bicycle.
    public static var cyclingPower: Self { Self(constant: .cyclingPower) }
    /// The power a cyclist can hold for an hour.
    public static var cyclingFunctionalThresholdPower: Self {
        Self(constant: .cyclingFunctionalThresholdPower)
    }
    /// The length of a stride when running.
    public static var runningStrideLength: Self { Self(constant: .runningStrideLength) }
    /// The length of a step when walking.
    public static var walkingStepLength: Self { Self(constant: .walkingStepLength) }
    /// How long a foot stays on the ground.
    public static var runningGroundContactTime: Self { Self(constant: .runningGroundContactTime) }
    /// How far the body moves up and down at each step.
    public static var runningVerticalOscillation: Self {
        Self(constant: .runningVerticalOscillation)
    }
    /// Steps in a minute of running; ours, as HealthKit has no type for it.
    public static var runningCadence: Self { Self(constant: .runningCadence) }
    /// Turns of the pedals in a minute.
    public static var cyclingCadence: Self { Self(constant: .cyclingCadence) }
    /// How hard a workout felt, 0 to 10.
    public static var workoutEffortScore: Self { Self(constant: .workoutEffortScore) }
    /// How hard a workout was by its numbers, 0 to 10.
    public static var estimatedWorkoutEffortScore: Self {
        Self(constant: .estimatedWorkoutEffortScore)
    }
    /// The mass of the body.
    public static var bodyMass: Self { Self(constant: .bodyMass) }
    /// The mass of the body without its fat.
    public static var leanBodyMass: Self { Self(constant: .leanBodyMass) }
    /// The height of the body.
    public static var height: Self { Self(constant: .height) }
    /// Mass over height squared, in kg/m²; a plain number by HealthKit's decree.
    public static var bodyMassIndex: Self { Self(constant: .bodyMassIndex) }
    /// The part of the body's mass that is fat, 0 to 1.
    public static var bodyFatPercentage: Self { Self(constant: .bodyFatPercentage) }
    /// Breaths in a minute.
    public static var respiratoryRate: Self { Self(constant: .respiratoryRate) }
    /// The temperature of the body.
    public static var bodyTemperature: Self { Self(constant: .bodyTemperature) }
    /// The temperature of the body at rest in the morning.
    public static var basalBodyTemperature: Self { Self(constant: .basalBodyTemperature) }
    /// The sugar in the blood.
    public static var bloodGlucose: Self { Self(constant: .bloodGlucose) }
    /// The loudness of the surroundings.
    public static var environmentalAudioExposure: Self {
        Self(constant: .environmentalAudioExposure)
    }
    /// The loudness of the headphones.
    public static var headphoneAudioExposure: Self { Self(constant: .headphoneAudioExposure) }
}
