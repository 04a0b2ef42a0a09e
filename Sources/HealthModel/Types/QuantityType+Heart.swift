/// Heart and circulation.
///
/// Names, styles and units are those of Apple's HKTypeIdentifiers.h, codes those of Stanford's
/// HealthKitOnFHIR. A row is all that a type needs; the constants below are for Swift.
extension QuantityType {
    static let heartTable: [QuantityType] = [
        // 300 is the bound of Health Connect; below 20 no one wears a sensor. HealthKit's header says
        // `count/s`; devices and people say `count/min`, and a conversion would only add rounding.
        QuantityType(
            "heartRate", .discreteTemporallyWeighted, .countPerMinute, plausible: 20...300,
            loinc: "8867-4", ucum: "/min"),
        // 240 to 20 beats in a minute; outside it a beat was missed or doubled.
        QuantityType(
            "rrInterval", .discreteArithmetic, .millisecond, plausible: 250...3_000,
            isInHealthKit: false),
        // As of the heart rate.
        QuantityType(
            "restingHeartRate", .discreteArithmetic, .countPerMinute, plausible: 20...300,
            loinc: "40443-4", ucum: "/min"),
        // As of the heart rate.
        QuantityType(
            "walkingHeartRateAverage", .discreteArithmetic, .countPerMinute, plausible: 20...300,
            ucum: "/min"),
        // A second of deviation is more than the beats of a day have.
        QuantityType(
            "heartRateVariabilitySDNN", .discreteArithmetic, .millisecond, plausible: 0...1_000,
            loinc: "80404-7", ucum: "ms"),
        // No more than lies between the highest rate and rest.
        QuantityType(
            "heartRateRecoveryOneMinute", .discreteArithmetic, .countPerMinute, plausible: 0...200,
            ucum: "/min"),
        // A part of the time: 0 to 1.
        QuantityType(
            "atrialFibrillationBurden", .discreteTemporallyWeighted, .percent, plausible: 0...1,
            ucum: "%"),
        // A part: 0 to 1; sensors end at 0.2.
        QuantityType(
            "peripheralPerfusionIndex", .discreteArithmetic, .percent, plausible: 0...1,
            loinc: "61006-3", ucum: "%"),
        // The best athletes are below 100.
        QuantityType(
            "vo2Max", .discreteArithmetic, .milliliterPerMinuteAndKilogram, plausible: 5...100,
            ucum: "mL/kg/min"),
        // A part: 0 to 1. It catches devices and programs that send 97 for 97 %.
        QuantityType(
            "oxygenSaturation", .discreteArithmetic, .percent, plausible: 0...1, loinc: "59408-5",
            ucum: "%"),
        // The ends of what cuffs can measure.
        QuantityType(
            "bloodPressureSystolic", .discreteArithmetic, .millimeterOfMercury, plausible: 20...300,
            loinc: "8480-6", ucum: "mm[Hg]"),
        // The ends of what cuffs can measure.
        QuantityType(
            "bloodPressureDiastolic", .discreteArithmetic, .millimeterOfMercury,
            plausible: 10...250, loinc: "8462-4", ucum: "mm[Hg]"),
    ]
}

extension QuantityType {
    /// Beats of the heart in a minute.
    public static let heartRate = standard("heartRate")

    /// The time from one beat of the heart to the next; ours.
    public static let rrInterval = standard("rrInterval")

    /// The heart rate at rest.
    public static let restingHeartRate = standard("restingHeartRate")

    /// The average heart rate of a day's walks.
    public static let walkingHeartRateAverage = standard("walkingHeartRateAverage")

    /// The standard deviation of the times between beats; not RMSSD.
    public static let heartRateVariabilitySDNN = standard("heartRateVariabilitySDNN")

    /// How far the heart rate falls in the minute after an effort.
    public static let heartRateRecoveryOneMinute = standard("heartRateRecoveryOneMinute")

    /// The part of the time in which the heart was fibrillating.
    public static let atrialFibrillationBurden = standard("atrialFibrillationBurden")

    /// The pulsating part of the blood flow at the sensor.
    public static let peripheralPerfusionIndex = standard("peripheralPerfusionIndex")

    /// The oxygen a body can take up.
    public static let vo2Max = standard("vo2Max")

    /// The part of the haemoglobin that carries oxygen, 0 to 1.
    public static let oxygenSaturation = standard("oxygenSaturation")

    /// The pressure of the blood when the heart contracts.
    public static let bloodPressureSystolic = standard("bloodPressureSystolic")

    /// The pressure of the blood when the heart relaxes.
    public static let bloodPressureDiastolic = standard("bloodPressureDiastolic")
}
