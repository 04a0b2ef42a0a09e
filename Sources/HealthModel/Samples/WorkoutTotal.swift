/// What the samples of one type came to in a whole workout.
public struct WorkoutTotal: Hashable, Sendable {
    /// The type of the samples.
    public let type: QuantityType
    /// Of a type that is counted: how much there was.
    public let sum: Quantity?
    /// Of any other type: the average over time.
    public let average: Quantity?
    /// The lowest value.
    public let minimum: Quantity?
    /// The highest value.
    public let maximum: Quantity?
    /// How it was found where it was not measured, such as `heartRate` or `ratePerHour` for energy.
    public let method: String?

    /// How much there was of what is counted.
    /// - Throws: when the unit does not fit the type, or the type is not counted.
    public init(
        _ type: QuantityType, sum: Quantity, method: String? = nil
    ) throws(WorkoutError) {
        // Of a type that nothing declares the style is not known.
        guard type.aggregationStyle == .cumulative || !type.isDeclared,
            sum.isCompatible(with: type.canonicalUnit)
        else { throw .total(type.name) }
        self.type = type
        self.sum = sum
        (average, minimum, maximum) = (nil, nil, nil)
        self.method = method?.cut(toBytes: Self.maximumMethodLength)
    }

    /// The average, lowest and highest value of what is not counted; kept in the unit of the average.
    /// - Throws: when a unit does not fit the type, or the type is counted.
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
    /// The same in another unit; nil when it measures something else, or is too large there.
    fileprivate func expressed(in unit: Unit) -> Quantity? {
        unit == self.unit ? self : (try? value(in: unit)).flatMap { try? Quantity($0, unit) }
    }
}
