/// The types of activity and energy.
///
/// The plausible ranges of counts are wide: one sample may contain everything that a device counted
/// while it was out of range. `maximumRate` limits how fast a counter can grow.
extension QuantityType {
    static let activityTable: [QuantityType] = [
        // A million per sample is the limit of Health Connect; a sprinter makes 5 steps per second.
        QuantityType(
            "stepCount", .cumulative, .count, plausible: 0...1_000_000, maximumRate: 5,
            loinc: "55423-8"),
        // Like stepCount.
        QuantityType("pushCount", .cumulative, .count, plausible: 0...1_000_000),
        // Like stepCount.
        QuantityType(
            "flightsClimbed", .cumulative, .count, plausible: 0...1_000_000, loinc: "100304-5"),
        // The fastest sprint was 12 m/s.
        QuantityType(
            "distanceWalkingRunning", .cumulative, .meter, display: .kilometer,
            plausible: 0...1_000_000, maximumRate: 12, ucum: "m"),
        // A thousand kilometres without a stop are not realistic; for the rate see cyclingSpeed.
        QuantityType(
            "distanceCycling", .cumulative, .meter, display: .kilometer, plausible: 0...1_000_000,
            maximumRate: 40, ucum: "m"),
        // The world record over 50 m is below 2.5 m/s.
        QuantityType(
            "distanceSwimming", .cumulative, .meter, plausible: 0...1_000_000, maximumRate: 3,
            loinc: "93816-7", ucum: "m"),
        // An eight makes 6.5 m/s, a sprint on a rower 7 m/s.
        QuantityType(
            "distanceRowing", .cumulative, .meter, display: .kilometer, plausible: 0...1_000_000,
            maximumRate: 10),
        // Like stepCount.
        QuantityType("swimmingStrokeCount", .cumulative, .count, plausible: 0...1_000_000),
        // A kilocalorie per second would take 12 litres of oxygen per minute.
        QuantityType(
            "activeEnergyBurned", .cumulative, .kilocalorie, plausible: 0...100_000, maximumRate: 1,
            loinc: "41981-2", ucum: "kcal"),
        // Like activeEnergyBurned.
        QuantityType(
            "basalEnergyBurned", .cumulative, .kilocalorie, plausible: 0...100_000, ucum: "kcal"),
        // Like activeEnergyBurned.
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
        // A sprint is about 25 times the value at rest. UCUM's hour is `h`; the `kcal/hr/kg` of
        // HealthKitOnFHIR is not a UCUM unit.
        QuantityType(
            "physicalEffort", .discreteArithmetic, .kilocaloriePerHourAndKilogram,
            plausible: 0...100, ucum: "kcal/h/kg"),
        // Faster than the fastest sprinter.
        QuantityType(
            "runningSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...15, ucum: "m/s"),
        // Like runningSpeed.
        QuantityType(
            "walkingSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...15, ucum: "m/s"),
        // The descents of races stay below 40 m/s.
        QuantityType(
            "cyclingSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...40, ucum: "m/s"),
        // See distanceRowing.
        QuantityType("rowingSpeed", .discreteArithmetic, .meterPerSecond, plausible: 0...10),
        // Like cyclingPower.
        QuantityType("runningPower", .discreteArithmetic, .watt, plausible: 0...4_000, ucum: "W"),
        // The sprints of track cyclists stay below 3,000 W.
        QuantityType("cyclingPower", .discreteArithmetic, .watt, plausible: 0...4_000, ucum: "W"),
        // The best cyclists sustain half of it for an hour.
        QuantityType(
            "cyclingFunctionalThresholdPower", .discreteArithmetic, .watt, plausible: 0...1_000,
            ucum: "W"),
        // Sprinters stay below 3 m.
        QuantityType(
            "runningStrideLength", .discreteArithmetic, .meter, plausible: 0...4, ucum: "m"),
        // Shorter than a sprinter's stride.
        QuantityType("walkingStepLength", .discreteArithmetic, .meter, plausible: 0...3, ucum: "m"),
        // A foot on the ground for 2 s is not running.
        QuantityType(
            "runningGroundContactTime", .discreteArithmetic, .millisecond, plausible: 0...2_000,
            ucum: "ms"),
        // Typical values are about 10 cm. The published UCUM unit is the metre, unlike the
        // canonical unit.
        QuantityType(
            "runningVerticalOscillation", .discreteArithmetic, .centimeter, plausible: 0...50,
            ucum: "m"),
        // Sprinters make about 300 steps per minute. HealthKit has no type for it.
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

    /// Flights of stairs climbed.
    public static let flightsClimbed = standard("flightsClimbed")

    /// The distance walked or run.
    public static let distanceWalkingRunning = standard("distanceWalkingRunning")

    /// The distance cycled.
    public static let distanceCycling = standard("distanceCycling")

    /// The distance swum.
    public static let distanceSwimming = standard("distanceSwimming")

    /// The distance rowed.
    public static let distanceRowing = standard("distanceRowing")

    /// Swimming strokes.
    public static let swimmingStrokeCount = standard("swimmingStrokeCount")

    /// The energy burned by activity, above the resting energy.
    public static let activeEnergyBurned = standard("activeEnergyBurned")

    /// The resting energy burned.
    public static let basalEnergyBurned = standard("basalEnergyBurned")

    /// The energy of food and drink.
    public static let dietaryEnergyConsumed = standard("dietaryEnergyConsumed")

    /// Minutes of exercise.
    public static let appleExerciseTime = standard("appleExerciseTime")

    /// Minutes of movement.
    public static let appleMoveTime = standard("appleMoveTime")

    /// Minutes of standing.
    public static let appleStandTime = standard("appleStandTime")

    /// The intensity of an activity: power per kilogram of body mass.
    public static let physicalEffort = standard("physicalEffort")

    /// The running speed.
    public static let runningSpeed = standard("runningSpeed")

    /// The walking speed.
    public static let walkingSpeed = standard("walkingSpeed")

    /// The cycling speed.
    public static let cyclingSpeed = standard("cyclingSpeed")

    /// The rowing speed.
    public static let rowingSpeed = standard("rowingSpeed")

    /// The running power.
    public static let runningPower = standard("runningPower")

    /// The cycling power.
    public static let cyclingPower = standard("cyclingPower")

    /// The power that a cyclist can sustain for an hour.
    public static let cyclingFunctionalThresholdPower = standard("cyclingFunctionalThresholdPower")

    /// The length of a stride when running.
    public static let runningStrideLength = standard("runningStrideLength")

    /// The length of a step when walking.
    public static let walkingStepLength = standard("walkingStepLength")

    /// The time that a foot is on the ground in each step.
    public static let runningGroundContactTime = standard("runningGroundContactTime")

    /// The vertical movement of the body in each step.
    public static let runningVerticalOscillation = standard("runningVerticalOscillation")

    /// Running steps per minute; a type of Pulsegate, as HealthKit has none.
    public static let runningCadence = standard("runningCadence")

    /// Pedal revolutions per minute.
    public static let cyclingCadence = standard("cyclingCadence")

    /// The perceived effort of a workout, 0 to 10.
    public static let workoutEffortScore = standard("workoutEffortScore")

    /// The effort of a workout estimated from measurements, 0 to 10.
    public static let estimatedWorkoutEffortScore = standard("estimatedWorkoutEffortScore")
}
