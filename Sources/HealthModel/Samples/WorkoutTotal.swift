/// The total of the samples of one type in a workout.
public struct WorkoutTotal: Hashable, Sendable {
    /// The type of the samples.
    public let type: QuantityType
    /// The sum; cumulative types only.
    public let sum: Quantity?
    /// The average over time; discrete types only.
    public let average: Quantity?
    /// The lowest value; discrete types only.
    public let minimum: Quantity?
    /// The highest value; discrete types only.
    public let maximum: Quantity?
    /// The method of an estimate, such as `heartRate` or `ratePerHour` for energy; nil when
    /// measured.
    public let method: String?

    /// Makes the total of a cumulative type.
    /// - Throws: when the unit is not compatible with the type, or the type is discrete.
    public init(
        _ type: QuantityType, sum: Quantity, method: String? = nil
    ) throws(WorkoutError) {
        // The aggregation style of an undeclared type is unknown.
        guard type.aggregationStyle == .cumulative || !type.isDeclared,
            sum.isCompatible(with: type.canonicalUnit)
        else { throw .total(type.name) }
        self.type = type
        self.sum = sum
        (average, minimum, maximum) = (nil, nil, nil)
        self.method = method?.cut(toBytes: Self.maximumMethodLength)
    }

    /// Makes the total of a discrete type; all values are converted to the unit of the average.
    /// - Throws: when a unit is not compatible with the type, or the type is cumulative.
    public init(
        _ type: QuantityType, average: Quantity, minimum: Quantity, maximum: Quantity,
        method: String? = nil
    ) throws(WorkoutError) {
        guard type.aggregationStyle != .cumulative,
            average.isCompatible(with: type.canonicalUnit),
            let minimum = minimum.expressed(in: average.unit),
            let maximum = maximum.expressed(in: average.unit)
        else { throw .total(type.name) }
        self.type = type
        sum = nil
        (self.average, self.minimum, self.maximum) = (average, minimum, maximum)
        self.method = method?.cut(toBytes: Self.maximumMethodLength)
    }

    private static let maximumMethodLength = 256
}

extension Quantity {
    /// The quantity in another unit; nil when the unit is not compatible or the value not finite in
    /// it.
    fileprivate func expressed(in unit: Unit) -> Quantity? {
        unit == self.unit ? self : (try? value(in: unit)).flatMap { try? Quantity($0, unit) }
    }
}
