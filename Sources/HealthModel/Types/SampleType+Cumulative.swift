/// What adds up.
extension SampleType<CumulativeQuantity> {
    /// Steps.
    public static var stepCount: Self { Self(constant: .stepCount) }
    /// Pushes of a wheelchair.
    public static var pushCount: Self { Self(constant: .pushCount) }
    /// Flights of stairs.
    public static var flightsClimbed: Self { Self(constant: .flightsClimbed) }
    /// The way walked or run.
    public static var distanceWalkingRunning: Self { Self(constant: .distanceWalkingRunning) }
    /// The way on a bicycle.
    public static var distanceCycling: Self { Self(constant: .distanceCycling) }
    /// The way swum.
    public static var distanceSwimming: Self { Self(constant: .distanceSwimming) }
    /// Strokes of a swimmer.
    public static var swimmingStrokeCount: Self { Self(constant: .swimmingStrokeCount) }
    /// The energy spent on movement, above that at rest.
    public static var activeEnergyBurned: Self { Self(constant: .activeEnergyBurned) }
    /// The energy a body spends at rest.
    public static var basalEnergyBurned: Self { Self(constant: .basalEnergyBurned) }
    /// The energy of what was eaten and drunk.
    public static var dietaryEnergyConsumed: Self { Self(constant: .dietaryEnergyConsumed) }
    /// Minutes of exercise.
    public static var appleExerciseTime: Self { Self(constant: .appleExerciseTime) }
    /// Minutes of movement.
    public static var appleMoveTime: Self { Self(constant: .appleMoveTime) }
    /// Minutes of standing.
    public static var appleStandTime: Self { Self(constant: .appleStandTime) }
}
