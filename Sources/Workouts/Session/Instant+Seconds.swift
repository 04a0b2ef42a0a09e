import HealthModel

extension Instant {
    /// The seconds from another instant to this one.
    func seconds(since other: Instant) -> Double { Double(nanoseconds(since: other)) / 1e9 }

    /// Returns the instant so many seconds later, or the end of the range.
    func later(bySeconds seconds: Double) -> Instant {
        let nanoseconds = (seconds * 1e9).rounded()
        // Int64.max is no Double; 2^63 is, and is the first that is too large.
        if let exact = Int64(exactly: nanoseconds) { return adding(nanoseconds: exact) }
        return adding(nanoseconds: nanoseconds < 0 ? .min : .max)
    }
}
