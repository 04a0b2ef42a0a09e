public import HealthModel

extension QuantitySeries {
    /// What the values come to: the sum of what adds up, else average, smallest and largest.
    ///
    /// It is nil when there is no value.
    /// - Throws: when a value cannot be expressed in the type's canonical unit.
    public func statistics() throws(QuantityError) -> Statistics? {
        let samples = samples(seed: Self.noSeed)
        guard let first = samples.first, let end = samples.map(\.end).max() else { return nil }
        // Half open: an instant at the end is in it.
        let span = first.start..<end.adding(nanoseconds: 1)
        return try Statistics(of: samples, type, in: span)
    }
}
