import Platform

/// A foot pod that prints how many steps it has counted: `Steps: 7, Distance: 5.25 meters`.
///
/// Its wearer walks with 100 to 120 steps a minute and stands still now and then. Now and then, too,
/// the line is disturbed, and it begins with a banner as such things do. The same seed gives the same
/// lines.
public struct SimulatedPedometer: Sendable {
    /// A line and when it is printed.
    public struct Line: Hashable, Sendable {
        /// When it is printed, in seconds since the pedometer was switched on.
        public let atSeconds: Double
        /// The line without its end.
        public let text: String
    }

    /// The lines that can be asked for, per second.
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

    /// Switches a pedometer on.
    ///
    /// - Parameters:
    ///   - seed: Chooses the walk.
    ///   - linesPerSecond: How often it prints, held within ``rates``.
    ///   - hasNoise: Whether there is a banner and the line is disturbed now and then.
    public init(seed: UInt64, linesPerSecond: Double = 1, hasNoise: Bool = true) {
        self.linesPerSecond = min(
            max(linesPerSecond, Self.rates.lowerBound), Self.rates.upperBound)
        self.hasNoise = hasNoise
        var generator = SeededGenerator(seed: seed)
        cadence = Double.random(in: Self.cadences, using: &generator)
        phaseEndSeconds = Double.random(in: Self.walkSeconds, using: &generator)
        self.generator = generator
    }

    /// The next line that the pedometer prints.
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

    /// Adds the steps of the time since the line before.
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
