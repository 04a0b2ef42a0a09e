/// The types of body measurements and the environment.
///
/// The plausible ranges are wider than for any person; they detect wrong units and broken sensors.
extension QuantityType {
    static let bodyTable: [QuantityType] = [
        // From the smallest newborn to the heaviest person.
        QuantityType(
            "bodyMass", .discreteArithmetic, .kilogram, plausible: 0.2...700, loinc: "29463-7",
            ucum: "kg"),
        // Like bodyMass.
        QuantityType(
            "leanBodyMass", .discreteArithmetic, .kilogram, plausible: 0.2...700, loinc: "91557-9",
            ucum: "kg"),
        // From the smallest newborn to the tallest person.
        QuantityType(
            "height", .discreteArithmetic, .meter, display: .centimeter, plausible: 0.2...3,
            loinc: "8302-2", ucum: "cm"),
        // A plain number in HealthKit.
        QuantityType(
            "bodyMassIndex", .discreteArithmetic, .count, plausible: 5...250, loinc: "39156-5",
            ucum: "kg/m2"),
        // A fraction: 0 to 1. The range detects 20 for 20 %.
        QuantityType(
            "bodyFatPercentage", .discreteArithmetic, .percent, plausible: 0...1, loinc: "41982-0",
            ucum: "%"),
        // Wider than any real rate. HealthKit's header states `count/s`.
        QuantityType(
            "respiratoryRate", .discreteArithmetic, .countPerMinute, plausible: 0...150,
            loinc: "9279-1", ucum: "/min"),
        // Wider than for any living body; the range detects degrees Fahrenheit.
        QuantityType(
            "bodyTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50,
            loinc: "8310-5", ucum: "Cel"),
        // Like bodyTemperature.
        QuantityType(
            "basalBodyTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50,
            ucum: "Cel"),
        // Glucose meters measure up to less than 1,000.
        QuantityType(
            "bloodGlucose", .discreteArithmetic, .milligramPerDeciliter, plausible: 0...2_000,
            loinc: "41653-7", ucum: "mg/dL"),
        // Louder than any possible sound in air.
        QuantityType(
            "environmentalAudioExposure", .discreteEquivalentContinuousLevel,
            .decibelSoundPressureLevel, plausible: 0...200),
        // Louder than any possible sound in air.
        QuantityType(
            "headphoneAudioExposure", .discreteEquivalentContinuousLevel,
            .decibelSoundPressureLevel, plausible: 0...200),
    ]
}

extension QuantityType {
    /// The body mass.
    public static let bodyMass = standard("bodyMass")

    /// The body mass without fat.
    public static let leanBodyMass = standard("leanBodyMass")

    /// The height of the person.
    public static let height = standard("height")

    /// The body mass index: mass over height squared, in kg/m²; a plain number in HealthKit.
    public static let bodyMassIndex = standard("bodyMassIndex")

    /// The fraction of the body mass that is fat, 0 to 1.
    public static let bodyFatPercentage = standard("bodyFatPercentage")

    /// Breaths per minute.
    public static let respiratoryRate = standard("respiratoryRate")

    /// The body temperature.
    public static let bodyTemperature = standard("bodyTemperature")

    /// The basal body temperature, measured at rest in the morning.
    public static let basalBodyTemperature = standard("basalBodyTemperature")

    /// The blood glucose.
    public static let bloodGlucose = standard("bloodGlucose")

    /// The sound level of the environment.
    public static let environmentalAudioExposure = standard("environmentalAudioExposure")

    /// The sound level of headphones.
    public static let headphoneAudioExposure = standard("headphoneAudioExposure")
}
