/// Measures of the body and its surroundings.
///
/// The bounds are wider than any person; they catch a wrong unit and a broken sensor.
extension QuantityType {
    /// The mass of the body.
    public static let bodyMass = QuantityType(
        "bodyMass", .discreteArithmetic, .kilogram, plausible: 0.2...700, loinc: "29463-7",
        ucum: "kg")

    /// The mass of the body without its fat.
    public static let leanBodyMass = QuantityType(
        "leanBodyMass", .discreteArithmetic, .kilogram, plausible: 0.2...700, loinc: "91557-9",
        ucum: "kg")

    /// The height of the body.
    public static let height = QuantityType(
        "height", .discreteArithmetic, .meter, display: .centimeter, plausible: 0.2...3,
        loinc: "8302-2", ucum: "cm")

    /// Mass over height squared, in kg/m²; a plain number by HealthKit's decree.
    public static let bodyMassIndex = QuantityType(
        "bodyMassIndex", .discreteArithmetic, .count, plausible: 5...250, loinc: "39156-5",
        ucum: "kg/m2")

    /// The part of the body's mass that is fat, 0 to 1.
    public static let bodyFatPercentage = QuantityType(
        "bodyFatPercentage", .discreteArithmetic, .percent, plausible: 0...1, loinc: "41982-0",
        ucum: "%")

    /// Breaths in a minute; HealthKit's header says `count/s`.
    public static let respiratoryRate = QuantityType(
        "respiratoryRate", .discreteArithmetic, .countPerMinute, plausible: 0...150,
        loinc: "9279-1", ucum: "/min")

    /// The temperature of the body.
    public static let bodyTemperature = QuantityType(
        "bodyTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50,
        loinc: "8310-5", ucum: "Cel")

    /// The temperature of the body at rest in the morning.
    public static let basalBodyTemperature = QuantityType(
        "basalBodyTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50,
        ucum: "Cel")

    /// The sugar in the blood.
    public static let bloodGlucose = QuantityType(
        "bloodGlucose", .discreteArithmetic, .milligramPerDeciliter, plausible: 0...2_000,
        loinc: "41653-7", ucum: "mg/dL")

    /// The loudness of the surroundings.
    public static let environmentalAudioExposure = QuantityType(
        "environmentalAudioExposure", .discreteEquivalentContinuousLevel,
        .decibelSoundPressureLevel, plausible: 0...200)

    /// The loudness of the headphones.
    public static let headphoneAudioExposure = QuantityType(
        "headphoneAudioExposure", .discreteEquivalentContinuousLevel,
        .decibelSoundPressureLevel, plausible: 0...200)

    static let bodyTypes: [QuantityType] = [
        .bodyMass, .leanBodyMass, .height, .bodyMassIndex, .bodyFatPercentage, .respiratoryRate,
        .bodyTemperature, .basalBodyTemperature, .bloodGlucose, .environmentalAudioExposure,
        .headphoneAudioExposure,
    ]
}
