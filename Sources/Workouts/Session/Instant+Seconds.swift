package import HealthModel

extension Instant {
    /// The seconds from another instant to this one.
    package func seconds(since other: Instant) -> Double { Double(nanoseconds(since: other)) / 1e9 }

    /// Returns the instant that is a number of seconds later, clamped to the range of times.
    package func later(bySeconds seconds: Double) -> Instant {
        let nanoseconds = (seconds * 1e9).rounded()
        // Double cannot represent Int64.max; 2^63 is the first value that is too large.
        if let exact = Int64(exactly: nanoseconds) { return adding(nanoseconds: exact) }
        return adding(nanoseconds: nanoseconds < 0 ? .min : .max)
    }
}
