/// Measures of the body and its surroundings.
///
/// The bounds are wider than any person; they catch a wrong unit and a broken sensor.
extension QuantityType {
    static let bodyTable: [QuantityType] = [
        // From the smallest newborn to the heaviest person.
        QuantityType(
            "bodyMass", .discreteArithmetic, .kilogram, plausible: 0.2...700, loinc: "29463-7",
            ucum: "kg"),
        // As of the whole body.
        QuantityType(
            "leanBodyMass", .discreteArithmetic, .kilogram, plausible: 0.2...700, loinc: "91557-9",
            ucum: "kg"),
        // From the smallest newborn to the tallest person.
        QuantityType(
            "height", .discreteArithmetic, .meter, display: .centimeter, plausible: 0.2...3,
            loinc: "8302-2", ucum: "cm"),
        // A plain number by HealthKit's decree.
        QuantityType(
            "bodyMassIndex", .discreteArithmetic, .count, plausible: 5...250, loinc: "39156-5",
            ucum: "kg/m2"),
        // A part: 0 to 1. It catches 20 for 20 %.
        QuantityType(
            "bodyFatPercentage", .discreteArithmetic, .percent, plausible: 0...1, loinc: "41982-0",
            ucum: "%"),
        // Wider than any breathing. HealthKit's header says `count/s`.
        QuantityType(
            "respiratoryRate", .discreteArithmetic, .countPerMinute, plausible: 0...150,
            loinc: "9279-1", ucum: "/min"),
        // Wider than any living body; it catches degrees Fahrenheit.
        QuantityType(
            "bodyTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50,
            loinc: "8310-5", ucum: "Cel"),
        // As of the body.
        QuantityType(
            "basalBodyTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50,
            ucum: "Cel"),
        // Meters end below 1,000.
        QuantityType(
            "bloodGlucose", .discreteArithmetic, .milligramPerDeciliter, plausible: 0...2_000,
            loinc: "41653-7", ucum: "mg/dL"),
        // Louder than any sound in air can be.
        QuantityType(
            "environmentalAudioExposure", .discreteEquivalentContinuousLevel,
            .decibelSoundPressureLevel, plausible: 0...200),
        // Louder than any sound in air can be.
        QuantityType(
            "headphoneAudioExposure", .discreteEquivalentContinuousLevel,
            .decibelSoundPressureLevel, plausible: 0...200),
    ]
}

extension QuantityType {
    /// The mass of the body.
    public static let bodyMass = standard("bodyMass")

    /// The mass of the body without its fat.
    public static let leanBodyMass = standard("leanBodyMass")

    /// The height of the body.
    public static let height = standard("height")

    /// Mass over height squared, in kg/m²; a plain number by HealthKit's decree.
    public static let bodyMassIndex = standard("bodyMassIndex")

    /// The part of the body's mass that is fat, 0 to 1.
    public static let bodyFatPercentage = standard("bodyFatPercentage")

    /// Breaths in a minute.
    public static let respiratoryRate = standard("respiratoryRate")

    /// The temperature of the body.
    public static let bodyTemperature = standard("bodyTemperature")

    /// The temperature of the body at rest in the morning.
    public static let basalBodyTemperature = standard("basalBodyTemperature")

    /// The sugar in the blood.
    public static let bloodGlucose = standard("bloodGlucose")

    /// The loudness of the surroundings.
    public static let environmentalAudioExposure = standard("environmentalAudioExposure")

    /// The loudness of the headphones.
    public static let headphoneAudioExposure = standard("headphoneAudioExposure")
}
