/// The discrete types.
extension SampleType<DiscreteQuantity> {
    /// Heartbeats per minute.
    public static var heartRate: Self { Self(constant: .heartRate) }
    /// The interval between two heartbeats; a type of Pulsegate, as HealthKit has none.
    public static var rrInterval: Self { Self(constant: .rrInterval) }
    /// The voltage of an electrocardiogram at one moment; a type of Pulsegate.
    public static var electrocardiogramVoltage: Self { Self(constant: .electrocardiogramVoltage) }
    /// The acceleration along the first axis of a sensor; a type of Pulsegate.
    public static var accelerationX: Self { Self(constant: .accelerationX) }
    /// The acceleration along the second axis of a sensor; a type of Pulsegate.
    public static var accelerationY: Self { Self(constant: .accelerationY) }
    /// The acceleration along the third axis of a sensor; a type of Pulsegate.
    public static var accelerationZ: Self { Self(constant: .accelerationZ) }
    /// The resting heart rate.
    public static var restingHeartRate: Self { Self(constant: .restingHeartRate) }
    /// The average heart rate while walking, over a day.
    public static var walkingHeartRateAverage: Self { Self(constant: .walkingHeartRateAverage) }
    /// The heart rate variability as the standard deviation of intervals (SDNN), not RMSSD.
    public static var heartRateVariabilitySDNN: Self { Self(constant: .heartRateVariabilitySDNN) }
    /// The decrease of the heart rate in the first minute after exercise.
    public static var heartRateRecoveryOneMinute: Self {
        Self(constant: .heartRateRecoveryOneMinute)
    }
    /// The fraction of time with atrial fibrillation.
    public static var atrialFibrillationBurden: Self { Self(constant: .atrialFibrillationBurden) }
    /// The peripheral perfusion index: the fraction of pulsatile blood flow at the sensor.
    public static var peripheralPerfusionIndex: Self { Self(constant: .peripheralPerfusionIndex) }
    /// The maximum oxygen uptake.
    public static var vo2Max: Self { Self(constant: .vo2Max) }
    /// The oxygen saturation of the blood, 0 to 1.
    public static var oxygenSaturation: Self { Self(constant: .oxygenSaturation) }
    /// The systolic blood pressure.
    public static var bloodPressureSystolic: Self { Self(constant: .bloodPressureSystolic) }
    /// The diastolic blood pressure.
    public static var bloodPressureDiastolic: Self { Self(constant: .bloodPressureDiastolic) }
    /// The intensity of an activity: power per kilogram of body mass.
    public static var physicalEffort: Self { Self(constant: .physicalEffort) }
    /// The running speed.
    public static var runningSpeed: Self { Self(constant: .runningSpeed) }
    /// The walking speed.
    public static var walkingSpeed: Self { Self(constant: .walkingSpeed) }
    /// The cycling speed.
    public static var cyclingSpeed: Self { Self(constant: .cyclingSpeed) }
    /// The rowing speed.
    public static var rowingSpeed: Self { Self(constant: .rowingSpeed) }
    /// The running power.
    public static var runningPower: Self { Self(constant: .runningPower) }
    /// The cycling power.
    public static var cyclingPower: Self { Self(constant: .cyclingPower) }
    /// The power that a cyclist can sustain for an hour.
    public static var cyclingFunctionalThresholdPower: Self {
        Self(constant: .cyclingFunctionalThresholdPower)
    }
    /// The length of a stride when running.
    public static var runningStrideLength: Self { Self(constant: .runningStrideLength) }
    /// The length of a step when walking.
    public static var walkingStepLength: Self { Self(constant: .walkingStepLength) }
    /// The time that a foot is on the ground in each step.
    public static var runningGroundContactTime: Self { Self(constant: .runningGroundContactTime) }
    /// The vertical movement of the body in each step.
    public static var runningVerticalOscillation: Self {
        Self(constant: .runningVerticalOscillation)
    }
    /// Running steps per minute; a type of Pulsegate, as HealthKit has none.
    public static var runningCadence: Self { Self(constant: .runningCadence) }
    /// Pedal revolutions per minute.
    public static var cyclingCadence: Self { Self(constant: .cyclingCadence) }
    /// The perceived effort of a workout, 0 to 10.
    public static var workoutEffortScore: Self { Self(constant: .workoutEffortScore) }
    /// The effort of a workout estimated from measurements, 0 to 10.
    public static var estimatedWorkoutEffortScore: Self {
        Self(constant: .estimatedWorkoutEffortScore)
    }
    /// The body mass.
    public static var bodyMass: Self { Self(constant: .bodyMass) }
    /// The body mass without fat.
    public static var leanBodyMass: Self { Self(constant: .leanBodyMass) }
    /// The height of the person.
    public static var height: Self { Self(constant: .height) }
    /// The body mass index: mass over height squared, in kg/m²; a plain number in HealthKit.
    public static var bodyMassIndex: Self { Self(constant: .bodyMassIndex) }
    /// The fraction of the body mass that is fat, 0 to 1.
    public static var bodyFatPercentage: Self { Self(constant: .bodyFatPercentage) }
    /// Breaths per minute.
    public static var respiratoryRate: Self { Self(constant: .respiratoryRate) }
    /// The body temperature.
    public static var bodyTemperature: Self { Self(constant: .bodyTemperature) }
    /// The basal body temperature, measured at rest in the morning.
    public static var basalBodyTemperature: Self { Self(constant: .basalBodyTemperature) }
    /// The blood glucose.
    public static var bloodGlucose: Self { Self(constant: .bloodGlucose) }
    /// The sound level of the environment.
    public static var environmentalAudioExposure: Self {
        Self(constant: .environmentalAudioExposure)
    }
    /// The sound level of headphones.
    public static var headphoneAudioExposure: Self { Self(constant: .headphoneAudioExposure) }
}
