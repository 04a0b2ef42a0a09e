/// The kind of a sample type at compile time.
///
/// It is the generic argument of ``SampleType``.
public protocol SampleKind: Sendable {
    /// The samples of this kind.
    associatedtype Sample: Sendable
    /// Whether types with an aggregation style belong to this kind.
    static func includes(_ style: QuantityType.AggregationStyle) -> Bool
}

/// The kind of quantities that add up over time, such as steps and energy.
///
/// They have a sum and no average.
public enum CumulativeQuantity: SampleKind {
    /// A quantity with a duration.
    public typealias Sample = QuantitySample
    /// Whether values add up.
    public static func includes(_ style: QuantityType.AggregationStyle) -> Bool {
        style == .cumulative
    }
}

/// The kind of quantities that are averaged, such as heart rates and temperatures.
///
/// They have an average, a minimum and a maximum, and no sum.
public enum DiscreteQuantity: SampleKind {
    /// A quantity at a time.
    public typealias Sample = QuantitySample
    /// Whether values are averaged.
    public static func includes(_ style: QuantityType.AggregationStyle) -> Bool {
        style != .cumulative
    }
}

/// A quantity type with its kind at compile time.
///
/// `Statistics.sum(of: samples, .stepCount, in: day)` compiles, and the same with `.heartRate` does
/// not. Use ``init(_:)`` for a type that is known only at run time.
public struct SampleType<Kind: SampleKind>: Hashable, Sendable, CustomStringConvertible
where Kind.Sample == QuantitySample {
    /// The type.
    public let quantityType: QuantityType

    /// Makes a sample type from a quantity type; nil when that is of another kind.
    public init?(_ type: QuantityType) {
        guard Kind.includes(type.aggregationStyle) else { return nil }
        quantityType = type
    }

    /// Makes a sample type for a constant.
    init(constant type: QuantityType) {
        // Only constants of this module call it, so no input reaches this.
        precondition(Kind.includes(type.aggregationStyle), "\(type) is not of this kind")
        quantityType = type
    }

    /// The name of the type.
    public var description: String { quantityType.description }
}
