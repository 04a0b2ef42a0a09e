public import HealthModel

/// Statistics by the kind of a type: a calculation that its values do not support does not compile.
extension Statistics {
    /// The sum in a span; nil when there are no samples.
    ///
    /// - Throws: `QuantityError` when a value cannot be expressed in the canonical unit.
    public static func sum(
        of samples: [QuantitySample], _ type: SampleType<CumulativeQuantity>,
        in span: Range<Instant>, options: StatisticsOptions = StatisticsOptions()
    ) throws(QuantityError) -> Quantity? {
        try Statistics(of: samples, type.quantityType, in: span, options: options).sum
    }

    /// The average in a span, by the type's aggregation style; nil when there are no samples.
    ///
    /// - Throws: `QuantityError` when a value cannot be expressed in the canonical unit.
    public static func average(
        of samples: [QuantitySample], _ type: SampleType<DiscreteQuantity>,
        in span: Range<Instant>, options: StatisticsOptions = StatisticsOptions()
    ) throws(QuantityError) -> Quantity? {
        try Statistics(of: samples, type.quantityType, in: span, options: options).average
    }

    /// The smallest value in a span; nil when there are no samples.
    ///
    /// - Throws: `QuantityError` when a value cannot be expressed in the canonical unit.
    public static func minimum(
        of samples: [QuantitySample], _ type: SampleType<DiscreteQuantity>,
        in span: Range<Instant>
    ) throws(QuantityError) -> Quantity? {
        try Statistics(of: samples, type.quantityType, in: span).minimum
    }

    /// The largest value in a span; nil when there are no samples.
    ///
    /// - Throws: `QuantityError` when a value cannot be expressed in the canonical unit.
    public static func maximum(
        of samples: [QuantitySample], _ type: SampleType<DiscreteQuantity>,
        in span: Range<Instant>
    ) throws(QuantityError) -> Quantity? {
        try Statistics(of: samples, type.quantityType, in: span).maximum
    }
}
