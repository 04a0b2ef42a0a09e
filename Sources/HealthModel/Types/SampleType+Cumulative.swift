/// The cumulative types.
extension SampleType<CumulativeQuantity> {
    /// Steps.
    public static var stepCount: Self { Self(constant: .stepCount) }
    /// Pushes of a wheelchair.
    public static var pushCount: Self { Self(constant: .pushCount) }
    /// Flights of stairs climbed.
    public static var flightsClimbed: Self { Self(constant: .flightsClimbed) }
    /// The distance walked or run.
    public static var distanceWalkingRunning: Self { Self(constant: .distanceWalkingRunning) }
    /// The distance cycled.
    public static var distanceCycling: Self { Self(constant: .distanceCycling) }
    /// The distance swum.
    public static var distanceSwimming: Self { Self(constant: .distanceSwimming) }
    /// The distance rowed.
    public static var distanceRowing: Self { Self(constant: .distanceRowing) }
    /// Swimming strokes.
    public static var swimmingStrokeCount: Self { Self(constant: .swimmingStrokeCount) }
    /// The energy burned by activity, above the resting energy.
    public static var activeEnergyBurned: Self { Self(constant: .activeEnergyBurned) }
    /// The resting energy burned.
    public static var basalEnergyBurned: Self { Self(constant: .basalEnergyBurned) }
    /// The energy of food and drink.
    public static var dietaryEnergyConsumed: Self { Self(constant: .dietaryEnergyConsumed) }
    /// Minutes of exercise.
    public static var appleExerciseTime: Self { Self(constant: .appleExerciseTime) }
    /// Minutes of movement.
    public static var appleMoveTime: Self { Self(constant: .appleMoveTime) }
    /// Minutes of standing.
    public static var appleStandTime: Self { Self(constant: .appleStandTime) }
}
