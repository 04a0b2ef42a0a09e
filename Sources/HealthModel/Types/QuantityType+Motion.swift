/// The types of motion, which HealthKit does not have.
///
/// The axes are those of the sensor, and gravity is in the values: at rest together they are 9.8 m/s².
extension QuantityType {
    static let motionTable: [QuantityType] = ["accelerationX", "accelerationY", "accelerationZ"]
        .map {
            // About 200 times gravity: more than the impact of a fist or a foot.
            QuantityType(
                $0, .discreteArithmetic, .meterPerSecondSquared, plausible: -2_000...2_000,
                ucum: "m/s2", isInHealthKit: false)
        }
}

extension QuantityType {
    /// The acceleration along the first axis of a sensor; a type of Pulsegate.
    public static let accelerationX = standard("accelerationX")

    /// The acceleration along the second axis of a sensor; a type of Pulsegate.
    public static let accelerationY = standard("accelerationY")

    /// The acceleration along the third axis of a sensor; a type of Pulsegate.
    public static let accelerationZ = standard("accelerationZ")
}
