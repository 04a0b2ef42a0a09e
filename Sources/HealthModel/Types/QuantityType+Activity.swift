/// Movement, energy and sport.
///
/// The bounds of counts are wide: one sample may hold all that a device counted while it was out
/// of reach. What a counter can gain is bounded by `maximumRate`.
extension QuantityType {
    static let activityTable: [QuantityType] = [
        // A million in one sample is the bound of Health Connect; a sprinter makes 5 a second.
        QuantityType(
            "stepCount", .cumulative, .count, plausible: 0...1_000_000, maximumRate: 5,
            loinc: "55423-8"),
        // As of steps.
        QuantityType("pushCount", .cumulative, .count, plausible: 0...1_000_000),
        // As of steps.
        QuantityType(
            "flightsClimbed", .cumulative, .count, plausible: 0...1_000_000, loinc: "100304-5"),
        // The fastest sprint was 12 m/s.
        QuantityType(
            "distanceWalkingRunning", .cumulative, .meter, display: .kilometer,
            plausible: 0...1_000_000, maximumRate: 12, ucum: "m"),
        // A thousand kilometres; nobody rides so far without a stop.
        QuantityType(
            "distanceCycling", .cumulative, .meter, display: .kilometer, plausible: 0...1_000_000,
            ucum: "m"),
        // The world record over 50 m is below 2.5 m/s.
        QuantityType(
            "distanceSwimming", .cumulative, .meter, plausible: 0...1_000_000, maximumRate: 3,
            loinc: "93816-7", ucum: "m"),
        // As of steps.
        QuantityType("swimmingStrokeCount", .cumulative, .count, plausible: 0...1_000_000),
        // Nobody spends a kilocalorie a second: that is 12 litres of oxygen a minute.
        QuantityType(
            "activeEnergyBurned", .cumulative, .kilocalorie, plausible: 0...100_000, maximumRate: 1,
            loinc: "41981-2", ucum: "kcal"),
        // As of the energy of movement.
        QuantityType(
            "basalEnergyBurned", .cumulative, .kilocalorie, plausible: 0...100_000, ucum: "kcal"),
        // As of the energy of movement.
        QuantityType(
            "dietaryEnergyConsumed", .cumulative, .kilocalorie, plausible: 0...100_000,
            loinc: "9052-2", ucum: "kcal"),
        // Ten weeks in one sample.
        QuantityType(
            "appleExerciseTime", .cumulative, .minute, plausible: 0...100_000, ucum: "min"),
        // Ten weeks in one sample.
        QuantityType("appleMoveTime", .cumulative, .minute, plausible: 0...100_000, ucum: "min"),
        // Ten weeks in one sample.
        QuantityType("appleStandTime", .cumulative, .minute, plausible: 0...100_000, ucum: "min"),
        // A sprint is near 25 times the rest. UCUM's hour is `h`; the `kcal/hr/kg` of
        // HealthKitOnFHIR is no unit of UCUM.
        QuantityType(
            "physicalEffort", .discreteArithmetic, .kilocaloriePerHourAndKilogram,
            plausible: 0...100, ucum: "kcal/h/kg"),
        // Nobody has run at 15 m/s.
        QuantityType(
            "runningSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...15, ucum: "m/s"),
        // As of a run.
        QuantityType(
            "walkingSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...15, ucum: "m/s"),
        // The descents of races stay below 40 m/s.
        QuantityType(
            "cyclingSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...40, ucum: "m/s"),
        // As on a bicycle.
        QuantityType("runningPower", .discreteArithmetic, .watt, plausible: 0...4_000, ucum: "W"),
        // The sprints of track cyclists stay below 3,000 W.
        QuantityType("cyclingPower", .discreteArithmetic, .watt, plausible: 0...4_000, ucum: "W"),
        // The best hold half of it for an hour.
        QuantityType(
            "cyclingFunctionalThresholdPower", .discreteArithmetic, .watt, plausible: 0...1_000,
            ucum: "W"),
        // Sprinters stay below 3 m.
        QuantityType(
            "runningStrideLength", .discreteArithmetic, .meter, plausible: 0...4, ucum: "m"),
        // Shorter than a sprinter's stride.
        QuantityType("walkingStepLength", .discreteArithmetic, .meter, plausible: 0...3, ucum: "m"),
        // A foot that stays for 2 s does not run.
        QuantityType(
            "runningGroundContactTime", .discreteArithmetic, .millisecond, plausible: 0...2_000,
            ucum: "ms"),
        // Runners move by about 10 cm. The published UCUM unit is the metre, unlike that of the value.
        QuantityType(
            "runningVerticalOscillation", .discreteArithmetic, .centimeter, plausible: 0...50,
            ucum: "m"),
        // Sprinters make about 300 steps in a minute. HealthKit has no type for it.
        QuantityType(
            "runningCadence", .discreteArithmetic, .countPerMinute, plausible: 0...400,
            isInHealthKit: false),
        // Track sprinters stay below 300.
        QuantityType(
            "cyclingCadence", .discreteArithmetic, .countPerMinute, plausible: 0...300, ucum: "/min"
        ),
        // The scale goes from 0 to 10.
        QuantityType("workoutEffortScore", .discreteArithmetic, .effortScore, plausible: 0...10),
        // The scale goes from 0 to 10.
        QuantityType(
            "estimatedWorkoutEffortScore", .discreteArithmetic, .effortScore, plausible: 0...10),
    ]
}

extension QuantityType {
    /// Steps.
    public static let stepCount = standard("stepCount")

    /// Pushes of a wheelchair.
    public static let pushCount = standard("pushCount")

    /// Flights of stairs.
    public static let flightsClimbed = standard("flightsClimbed")

    /// The way walked or run.
    public static let distanceWalkingRunning = standard("distanceWalkingRunning")

    /// The way on a bicycle.
    public static let distanceCycling = standard("distanceCycling")

    /// The way swum.
    public static let distanceSwimming = standard("distanceSwimming")

    /// Strokes of a swimmer.
    public static let swimmingStrokeCount = standard("swimmingStrokeCount")

    /// The energy spent on movement, above that at rest.
    public static let activeEnergyBurned = standard("activeEnergyBurned")

    /// The energy a body spends at rest.
    public static let basalEnergyBurned = standard("basalEnergyBurned")

    /// The energy of what was eaten and drunk.
    public static let dietaryEnergyConsumed = standard("dietaryEnergyConsumed")

    /// Minutes of exercise.
    public static let appleExerciseTime = standard("appleExerciseTime")

    /// Minutes of movement.
    public static let appleMoveTime = standard("appleMoveTime")

    /// Minutes of standing.
    public static let appleStandTime = standard("appleStandTime")

    /// The power of an effort for each kilogram.
    public static let physicalEffort = standard("physicalEffort")

    /// The speed of a run.
    public static let runningSpeed = standard("runningSpeed")

    /// The speed of a walk.
    public static let walkingSpeed = standard("walkingSpeed")

    /// The speed on a bicycle.
    public static let cyclingSpeed = standard("cyclingSpeed")

    /// The power of a run.
    public static let runningPower = standard("runningPower")

    /// The power on a bicycle.
    public static let cyclingPower = standard("cyclingPower")

    /// The power a cyclist can hold for an hour.
    public static let cyclingFunctionalThresholdPower = standard("cyclingFunctionalThresholdPower")

    /// The length of a stride when running.
    public static let runningStrideLength = standard("runningStrideLength")

    /// The length of a step when walking.
    public static let walkingStepLength = standard("walkingStepLength")

    /// How long a foot stays on the ground.
    public static let runningGroundContactTime = standard("runningGroundContactTime")

    /// How far the body moves up and down at each step.
    public static let runningVerticalOscillation = standard("runningVerticalOscillation")

    /// Steps in a minute of running; ours, as HealthKit has no type for it.
    public static let runningCadence = standard("runningCadence")

    /// Turns of the pedals in a minute.
    public static let cyclingCadence = standard("cyclingCadence")

    /// How hard a workout felt, 0 to 10.
    public static let workoutEffortScore = standard("workoutEffortScore")

    /// How hard a workout was by its numbers, 0 to 10.
    public static let estimatedWorkoutEffortScore = standard("estimatedWorkoutEffortScore")
}
