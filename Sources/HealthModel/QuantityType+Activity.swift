/// Movement, energy and sport.
///
/// The bounds of counts are wide: one sample may hold all that a device counted while it was out
/// of reach. What a counter can gain is bounded by `maximumRate`.
extension QuantityType {
    /// Steps.
    ///
    /// A million in one sample is the bound of Health Connect; a sprinter makes 5 a second.
    public static let stepCount = QuantityType(
        "stepCount", .cumulative, .count, plausible: 0...1_000_000, maximumRate: 5,
        loinc: "55423-8")

    /// Pushes of a wheelchair.
    public static let pushCount = QuantityType(
        "pushCount", .cumulative, .count, plausible: 0...1_000_000)

    /// Flights of stairs.
    public static let flightsClimbed = QuantityType(
        "flightsClimbed", .cumulative, .count, plausible: 0...1_000_000, loinc: "100304-5")

    /// The way walked or run.
    ///
    /// The fastest sprint was 12 m/s.
    public static let distanceWalkingRunning = QuantityType(
        "distanceWalkingRunning", .cumulative, .meter, display: .kilometer,
        plausible: 0...1_000_000, maximumRate: 12, ucum: "m")

    /// The way on a bicycle.
    public static let distanceCycling = QuantityType(
        "distanceCycling", .cumulative, .meter, display: .kilometer, plausible: 0...1_000_000,
        ucum: "m")

    /// The way swum.
    ///
    /// The world record over 50 m is below 2.5 m/s.
    public static let distanceSwimming = QuantityType(
        "distanceSwimming", .cumulative, .meter, plausible: 0...1_000_000, maximumRate: 3,
        loinc: "93816-7", ucum: "m")

    /// Strokes of a swimmer.
    public static let swimmingStrokeCount = QuantityType(
        "swimmingStrokeCount", .cumulative, .count, plausible: 0...1_000_000)

    /// The energy spent on movement, above that at rest.
    ///
    /// Nobody spends a kilocalorie a second: that is 12 litres of oxygen a minute.
    public static let activeEnergyBurned = QuantityType(
        "activeEnergyBurned", .cumulative, .kilocalorie, plausible: 0...100_000,
        maximumRate: 1, loinc: "41981-2", ucum: "kcal")

    /// The energy a body spends at rest.
    public static let basalEnergyBurned = QuantityType(
        "basalEnergyBurned", .cumulative, .kilocalorie, plausible: 0...100_000, ucum: "kcal")

    /// The energy of what was eaten and drunk.
    public static let dietaryEnergyConsumed = QuantityType(
        "dietaryEnergyConsumed", .cumulative, .kilocalorie, plausible: 0...100_000,
        loinc: "9052-2", ucum: "kcal")

    /// Minutes of exercise.
    public static let appleExerciseTime = QuantityType(
        "appleExerciseTime", .cumulative, .minute, plausible: 0...100_000, ucum: "min")

    /// Minutes of movement.
    public static let appleMoveTime = QuantityType(
        "appleMoveTime", .cumulative, .minute, plausible: 0...100_000, ucum: "min")

    /// Minutes of standing.
    public static let appleStandTime = QuantityType(
        "appleStandTime", .cumulative, .minute, plausible: 0...100_000, ucum: "min")

    /// The power of an effort for each kilogram; a sprint is near 25 times the rest.
    ///
    /// UCUM's hour is `h`; the `kcal/hr/kg` of HealthKitOnFHIR is no unit of UCUM.
    public static let physicalEffort = QuantityType(
        "physicalEffort", .discreteArithmetic, .kilocaloriePerHourAndKilogram,
        plausible: 0...100, ucum: "kcal/h/kg")

    /// The speed of a run.
    ///
    /// Nobody has run at 15 m/s.
    public static let runningSpeed = QuantityType(
        "runningSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...15, ucum: "m/s")

    /// The speed of a walk.
    public static let walkingSpeed = QuantityType(
        "walkingSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...15, ucum: "m/s")

    /// The speed on a bicycle; the descents of races stay below 40 m/s.
    public static let cyclingSpeed = QuantityType(
        "cyclingSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...40, ucum: "m/s")

    /// The power of a run.
    public static let runningPower = QuantityType(
        "runningPower", .discreteArithmetic, .watt, plausible: 0...4_000, ucum: "W")

    /// The power on a bicycle; the sprints of track cyclists stay below 3,000 W.
    public static let cyclingPower = QuantityType(
        "cyclingPower", .discreteArithmetic, .watt, plausible: 0...4_000, ucum: "W")

    /// The power a cyclist can hold for an hour.
    public static let cyclingFunctionalThresholdPower = QuantityType(
        "cyclingFunctionalThresholdPower", .discreteArithmetic, .watt, plausible: 0...1_000,
        ucum: "W")

    /// The length of a stride when running; sprinters stay below 3 m.
    public static let runningStrideLength = QuantityType(
        "runningStrideLength", .discreteArithmetic, .meter, plausible: 0...4, ucum: "m")

    /// The length of a step when walking.
    public static let walkingStepLength = QuantityType(
        "walkingStepLength", .discreteArithmetic, .meter, plausible: 0...3, ucum: "m")

    /// How long a foot stays on the ground.
    public static let runningGroundContactTime = QuantityType(
        "runningGroundContactTime", .discreteArithmetic, .millisecond, plausible: 0...2_000,
        ucum: "ms")

    /// How far the body moves up and down at each step.
    ///
    /// The published UCUM unit of this type is the metre, unlike the unit of the value.
    public static let runningVerticalOscillation = QuantityType(
        "runningVerticalOscillation", .discreteArithmetic, .centimeter, plausible: 0...50,
        ucum: "m")

    /// Steps in a minute of running; ours, as HealthKit has no type for it.
    public static let runningCadence = QuantityType(
        "runningCadence", .discreteArithmetic, .countPerMinute, plausible: 0...400,
        isInHealthKit: false)

    /// Turns of the pedals in a minute.
    public static let cyclingCadence = QuantityType(
        "cyclingCadence", .discreteArithmetic, .countPerMinute, plausible: 0...300, ucum: "/min")

    /// How hard a workout felt, 0 to 10.
    public static let workoutEffortScore = QuantityType(
        "workoutEffortScore", .discreteArithmetic, .effortScore, plausible: 0...10)

    /// How hard a workout was by its numbers, 0 to 10.
    public static let estimatedWorkoutEffortScore = QuantityType(
        "estimatedWorkoutEffortScore", .discreteArithmetic, .effortScore, plausible: 0...10)

    static let activityTypes: [QuantityType] = [
        .stepCount, .pushCount, .flightsClimbed, .distanceWalkingRunning, .distanceCycling,
        .distanceSwimming, .swimmingStrokeCount, .activeEnergyBurned, .basalEnergyBurned,
        .dietaryEnergyConsumed, .appleExerciseTime, .appleMoveTime, .appleStandTime,
        .physicalEffort, .runningSpeed, .walkingSpeed, .cyclingSpeed, .runningPower,
        .cyclingPower, .cyclingFunctionalThresholdPower, .runningStrideLength,
        .walkingStepLength, .runningGroundContactTime, .runningVerticalOscillation,
        .runningCadence, .cyclingCadence, .workoutEffortScore, .estimatedWorkoutEffortScore,
    ]
}
