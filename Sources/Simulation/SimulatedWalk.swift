import Platform

/// A generator of steps: walks of 100 to 120 steps per minute with pauses.
///
/// The same seed gives the same steps.
struct SimulatedWalk: Sendable {
    static let metresPerStep = 0.75

    private static let cadences = 100.0...120.0
    private static let walkSeconds = 30.0...120.0
    private static let pauseSeconds = 5.0...20.0

    /// The number of steps so far.
    private(set) var steps = 0.0
    private var generator: SeededGenerator
    private var isWalking = true
    private var cadence: Double
    private var phaseEndSeconds: Double

    /// Makes a walk that starts now.
    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        cadence = Double.random(in: Self.cadences, using: &generator)
        phaseEndSeconds = Double.random(in: Self.walkSeconds, using: &generator)
        self.generator = generator
    }

    /// The present speed in metres per second.
    var speed: Double { isWalking ? cadence / 60 * Self.metresPerStep : 0 }

    /// Adds the steps of the second that ends at a time in seconds since the start.
    mutating func walkOneSecond(until seconds: Double) {
        if isWalking { steps += cadence / 60 }
        guard seconds >= phaseEndSeconds else { return }
        isWalking.toggle()
        cadence = Double.random(in: Self.cadences, using: &generator)
        let length = Double.random(
            in: isWalking ? Self.walkSeconds : Self.pauseSeconds, using: &generator)
        phaseEndSeconds = seconds + length
    }
}
