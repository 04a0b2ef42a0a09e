public import HealthModel

extension QuantitySeries {
    /// The statistics of the values: the sum of a cumulative type, else average, minimum and
    /// maximum.
    ///
    /// They are nil when there is no value.
    /// - Throws: when a value cannot be expressed in the type's canonical unit.
    public func statistics() throws(QuantityError) -> Statistics? {
        let samples = samples(seed: Self.noSeed)
        guard let first = samples.first, let end = samples.map(\.end).max() else { return nil }
        // The span is half open; one nanosecond more includes an instant at the end.
        let span = first.start..<end.adding(nanoseconds: 1)
        return try Statistics(of: samples, type, in: span)
    }
}
