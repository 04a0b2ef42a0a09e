/// How long to wait before something that failed is tried again: twice as long every time, up to a
/// limit, and shortened at random so that many do not try at the same moment.
public struct Backoff: Sendable {
    /// The first wait, in seconds.
    public let first: Double
    /// The longest wait, in seconds.
    public let longest: Double
    private var failures = 0

    /// Makes a back-off that starts with `first` seconds and ends at `longest`.
    public init(first: Double, longest: Double) {
        self.first = first
        self.longest = longest
    }

    /// The wait after one more failure, in seconds: between three quarters and the whole of the step.
    public mutating func next() -> Double {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    /// The wait after one more failure, with random numbers from a generator.
    public mutating func next(using generator: inout some RandomNumberGenerator) -> Double {
        var step = first
        for _ in 0..<failures where step < longest { step *= 2 }
        failures += 1
        return min(step, longest) * Double.random(in: 0.75...1, using: &generator)
    }

    /// Something worked: the next wait is the first again.
    public mutating func reset() {
        failures = 0
    }
}
