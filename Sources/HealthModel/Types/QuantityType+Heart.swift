/// The types of heart and circulation.
///
/// Names, aggregation styles and units are those of Apple's HKTypeIdentifiers.h, codes those of
/// Stanford's HealthKitOnFHIR. A row defines a type; the constants below are for use in Swift.
extension QuantityType {
    static let heartTable: [QuantityType] = [
        // 300 is the limit of Health Connect; rates below 20 are not realistic. HealthKit's header
        // states `count/s`; devices and people use `count/min`, and a conversion would only add
        // rounding.
        QuantityType(
            "heartRate", .discreteTemporallyWeighted, .countPerMinute, plausible: 20...300,
            loinc: "8867-4", ucum: "/min"),
        // 240 to 20 beats per minute; outside of it a beat was missed or counted twice.
        QuantityType(
            "rrInterval", .discreteArithmetic, .millisecond, plausible: 250...3_000,
            isInHealthKit: false),
        // The heart makes some millivolts at the chest, poor contact of electrodes some tens.
        QuantityType(
            "electrocardiogramVoltage", .discreteArithmetic, .microvolt,
            plausible: -50_000...50_000, isInHealthKit: false),
        // Like heartRate.
        QuantityType(
            "restingHeartRate", .discreteArithmetic, .countPerMinute, plausible: 20...300,
            loinc: "40443-4", ucum: "/min"),
        // Like heartRate.
        QuantityType(
            "walkingHeartRateAverage", .discreteArithmetic, .countPerMinute, plausible: 20...300,
            ucum: "/min"),
        // More than the beats of a whole day deviate.
        QuantityType(
            "heartRateVariabilitySDNN", .discreteArithmetic, .millisecond, plausible: 0...1_000,
            loinc: "80404-7", ucum: "ms"),
        // The difference between the maximum and the resting heart rate.
        QuantityType(
            "heartRateRecoveryOneMinute", .discreteArithmetic, .countPerMinute, plausible: 0...200,
            ucum: "/min"),
        // A fraction of the time: 0 to 1.
        QuantityType(
            "atrialFibrillationBurden", .discreteTemporallyWeighted, .percent, plausible: 0...1,
            ucum: "%"),
        // A fraction: 0 to 1; sensors measure up to 0.2.
        QuantityType(
            "peripheralPerfusionIndex", .discreteArithmetic, .percent, plausible: 0...1,
            loinc: "61006-3", ucum: "%"),
        // The best athletes are below 100.
        QuantityType(
            "vo2Max", .discreteArithmetic, .milliliterPerMinuteAndKilogram, plausible: 5...100,
            ucum: "mL/kg/min"),
        // A fraction: 0 to 1. The range detects devices and programs that send 97 for 97 %.
        QuantityType(
            "oxygenSaturation", .discreteArithmetic, .percent, plausible: 0...1, loinc: "59408-5",
            ucum: "%"),
        // The measuring range of cuffs.
        QuantityType(
            "bloodPressureSystolic", .discreteArithmetic, .millimeterOfMercury, plausible: 20...300,
            loinc: "8480-6", ucum: "mm[Hg]"),
        // The measuring range of cuffs.
        QuantityType(
            "bloodPressureDiastolic", .discreteArithmetic, .millimeterOfMercury,
            plausible: 10...250, loinc: "8462-4", ucum: "mm[Hg]"),
    ]
}

extension QuantityType {
    /// Heartbeats per minute.
    public static let heartRate = standard("heartRate")

    /// The interval between two heartbeats; a type of Pulsegate, as HealthKit has none.
    public static let rrInterval = standard("rrInterval")

    /// The voltage of an electrocardiogram at one moment; in HealthKit a measurement of an
    /// `HKElectrocardiogram`, not a quantity type.
    public static let electrocardiogramVoltage = standard("electrocardiogramVoltage")

    /// The resting heart rate.
    public static let restingHeartRate = standard("restingHeartRate")

    /// The average heart rate while walking, over a day.
    public static let walkingHeartRateAverage = standard("walkingHeartRateAverage")

    /// The heart rate variability as the standard deviation of intervals (SDNN), not RMSSD.
    public static let heartRateVariabilitySDNN = standard("heartRateVariabilitySDNN")

    /// The decrease of the heart rate in the first minute after exercise.
    public static let heartRateRecoveryOneMinute = standard("heartRateRecoveryOneMinute")

    /// The fraction of time with atrial fibrillation.
    public static let atrialFibrillationBurden = standard("atrialFibrillationBurden")

    /// The peripheral perfusion index: the fraction of pulsatile blood flow at the sensor.
    public static let peripheralPerfusionIndex = standard("peripheralPerfusionIndex")

    /// The maximum oxygen uptake.
    public static let vo2Max = standard("vo2Max")

    /// The oxygen saturation of the blood, 0 to 1.
    public static let oxygenSaturation = standard("oxygenSaturation")

    /// The systolic blood pressure.
    public static let bloodPressureSystolic = standard("bloodPressureSystolic")

    /// The diastolic blood pressure.
    public static let bloodPressureDiastolic = standard("bloodPressureDiastolic")
}
