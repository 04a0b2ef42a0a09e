/// Exponential back-off with jitter: the delay before a retry doubles up to a limit, and is
/// shortened at random so that clients do not retry at the same time.
public struct Backoff: Sendable {
    /// The first delay, in seconds.
    public let first: Double
    /// The longest delay, in seconds.
    public let longest: Double
    private var failures = 0
    private var random: any RandomNumberGenerator & Sendable

    /// Makes a back-off that starts with `first` seconds and ends at `longest`.
    ///
    /// - Parameter random: Where the jitter of ``next()`` comes from.
    public init(
        first: Double, longest: Double,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.first = first
        self.longest = longest
        self.random = random
    }

    /// The delay after one more failure, in seconds: 75 to 100 % of the step.
    public mutating func next() -> Double {
        var generator = random
        defer { random = generator }
        return next(using: &generator)
    }

    /// The delay after one more failure, with random numbers from a generator.
    public mutating func next(using generator: inout some RandomNumberGenerator) -> Double {
        var step = first
        for _ in 0..<failures where step < longest { step *= 2 }
        failures += 1
        return min(step, longest) * Double.random(in: 0.75...1, using: &generator)
    }

    /// Resets the delay to the first one, after a success.
    public mutating func reset() {
        failures = 0
    }
}
