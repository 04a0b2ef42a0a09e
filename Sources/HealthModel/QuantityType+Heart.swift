/// Heart and circulation.
///
/// Names, styles and units are those of Apple's HKTypeIdentifiers.h, codes those of Stanford's
/// HealthKitOnFHIR.
extension QuantityType {
    /// Beats of the heart in a minute.
    ///
    /// HealthKit's header says `count/s`; every device and every person says `count/min`, and a
    /// conversion would only add rounding. A rate of 300 is the bound of Health Connect; below 20
    /// no one wears a sensor.
    public static let heartRate = QuantityType(
        "heartRate", .discreteTemporallyWeighted, .countPerMinute, plausible: 20...300,
        loinc: "8867-4", ucum: "/min")

    /// The time from one beat of the heart to the next; ours.
    ///
    /// 250 to 3,000 ms are 240 to 20 beats in a minute; outside it a beat was missed or doubled.
    public static let rrInterval = QuantityType(
        "rrInterval", .discreteArithmetic, .millisecond, plausible: 250...3_000,
        isInHealthKit: false)

    /// The heart rate at rest.
    public static let restingHeartRate = QuantityType(
        "restingHeartRate", .discreteArithmetic, .countPerMinute, plausible: 20...300,
        loinc: "40443-4", ucum: "/min")

    /// The average heart rate of a day's walks.
    public static let walkingHeartRateAverage = QuantityType(
        "walkingHeartRateAverage", .discreteArithmetic, .countPerMinute, plausible: 20...300,
        ucum: "/min")

    /// The standard deviation of the times between beats; not RMSSD.
    public static let heartRateVariabilitySDNN = QuantityType(
        "heartRateVariabilitySDNN", .discreteArithmetic, .millisecond, plausible: 0...1_000,
        loinc: "80404-7", ucum: "ms")

    /// How far the heart rate falls in the minute after an effort.
    public static let heartRateRecoveryOneMinute = QuantityType(
        "heartRateRecoveryOneMinute", .discreteArithmetic, .countPerMinute, plausible: 0...200,
        ucum: "/min")

    /// The part of the time in which the heart was fibrillating.
    public static let atrialFibrillationBurden = QuantityType(
        "atrialFibrillationBurden", .discreteTemporallyWeighted, .percent, plausible: 0...1,
        ucum: "%")

    /// The pulsating part of the blood flow at the sensor; 20 % is the end of the scale.
    public static let peripheralPerfusionIndex = QuantityType(
        "peripheralPerfusionIndex", .discreteArithmetic, .percent, plausible: 0...1,
        loinc: "61006-3", ucum: "%")

    /// The oxygen a body can take up; the best athletes are below 100.
    public static let vo2Max = QuantityType(
        "vo2Max", .discreteArithmetic, .milliliterPerMinuteAndKilogram, plausible: 5...100,
        ucum: "mL/kg/min")

    /// The part of the haemoglobin that carries oxygen, 0 to 1.
    ///
    /// The bound of 1 catches devices and programs that send 97 for 97 %.
    public static let oxygenSaturation = QuantityType(
        "oxygenSaturation", .discreteArithmetic, .percent, plausible: 0...1,
        loinc: "59408-5", ucum: "%")

    /// The pressure of the blood when the heart contracts.
    public static let bloodPressureSystolic = QuantityType(
        "bloodPressureSystolic", .discreteArithmetic, .millimeterOfMercury, plausible: 20...300,
        loinc: "8480-6", ucum: "mm[Hg]")

    /// The pressure of the blood when the heart relaxes.
    public static let bloodPressureDiastolic = QuantityType(
        "bloodPressureDiastolic", .discreteArithmetic, .millimeterOfMercury, plausible: 10...250,
        loinc: "8462-4", ucum: "mm[Hg]")

    static let heartTypes: [QuantityType] = [
        .heartRate, .rrInterval, .restingHeartRate, .walkingHeartRateAverage,
        .heartRateVariabilitySDNN, .heartRateRecoveryOneMinute, .atrialFibrillationBurden,
        .peripheralPerfusionIndex, .vo2Max, .oxygenSaturation, .bloodPressureSystolic,
        .bloodPressureDiastolic,
    ]
}
