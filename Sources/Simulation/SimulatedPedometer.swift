import Platform

/// A simulated foot pod that prints its step count: `Steps: 7, Distance: 5.25 meters`.
///
/// It simulates 100 to 120 steps per minute with pauses, prints a banner first and occasionally a
/// corrupt line. The same seed gives the same lines.
public struct SimulatedPedometer: Sendable {
    /// A line with its time.
    public struct Line: Hashable, Sendable {
        /// The time of the line in seconds since the start.
        public let atSeconds: Double
        /// The line without its terminator.
        public let text: String
    }

    /// The supported rates, in lines per second.
    public static let rates = 0.1...10_000.0

    private static let metresPerStep = 0.75
    private static let cadences = 100.0...120.0
    private static let walkSeconds = 30.0...120.0
    private static let pauseSeconds = 5.0...20.0
    private static let linesPerDisturbance = 60

    private let linesPerSecond: Double
    private let hasNoise: Bool
    private var generator: SeededGenerator
    private var printed = 0
    private var steps = 0.0
    private var isWalking = true
    private var cadence: Double
    private var phaseEndSeconds: Double

    /// Makes a pedometer.
    ///
    /// - Parameters:
    ///   - seed: The seed of the random generator.
    ///   - linesPerSecond: The rate, limited to ``rates``.
    ///   - hasNoise: Whether to print the banner and corrupt lines.
    public init(seed: UInt64, linesPerSecond: Double = 1, hasNoise: Bool = true) {
        self.linesPerSecond = min(
            max(linesPerSecond, Self.rates.lowerBound), Self.rates.upperBound)
        self.hasNoise = hasNoise
        var generator = SeededGenerator(seed: seed)
        cadence = Double.random(in: Self.cadences, using: &generator)
        phaseEndSeconds = Double.random(in: Self.walkSeconds, using: &generator)
        self.generator = generator
    }

    /// Returns the next line.
    public mutating func nextLine() -> Line {
        defer { printed += 1 }
        let seconds = Double(printed) / linesPerSecond
        guard printed > 0 || !hasNoise else {
            return Line(atSeconds: seconds, text: "Pulsegate simulated pedometer")
        }
        walk(until: seconds)
        let isDisturbed = hasNoise && printed.isMultiple(of: Self.linesPerDisturbance)
        return Line(atSeconds: seconds, text: isDisturbed ? "Ste\u{7F}#~" : text)
    }

    private var text: String {
        let whole = Int(steps)
        return "Steps: \(whole), Distance: \(Double(whole) * Self.metresPerStep) meters"
    }

    /// Adds the steps since the previous line.
    private mutating func walk(until seconds: Double) {
        if isWalking { steps += cadence / 60 / linesPerSecond }
        guard seconds >= phaseEndSeconds else { return }
        isWalking.toggle()
        cadence = Double.random(in: Self.cadences, using: &generator)
        let length = Double.random(
            in: isWalking ? Self.walkSeconds : Self.pauseSeconds, using: &generator)
        phaseEndSeconds = seconds + length
    }
}
