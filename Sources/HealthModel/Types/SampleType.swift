/// How the samples of a type are made and combine, for the compiler.
///
/// A kind is a name without a value: it stands between the brackets of ``SampleType``.
public protocol SampleKind: Sendable {
    /// What a sample of this kind is.
    associatedtype Sample: Sendable
    /// Whether the values of a style combine like this.
    static func includes(_ style: QuantityType.AggregationStyle) -> Bool
}

/// Quantities that add up over time: steps, energy.
///
/// They have a sum, and no average.
public enum CumulativeQuantity: SampleKind {
    /// A quantity over a time.
    public typealias Sample = QuantitySample
    /// Whether values add up.
    public static func includes(_ style: QuantityType.AggregationStyle) -> Bool {
        style == .cumulative
    }
}

/// Quantities that are averaged, one way or another: heart rates, temperatures.
///
/// They have an average and extremes, and no sum.
public enum DiscreteQuantity: SampleKind {
    /// A quantity at a time.
    public typealias Sample = QuantitySample
    /// Whether values are averaged.
    public static func includes(_ style: QuantityType.AggregationStyle) -> Bool {
        style != .cumulative
    }
}

/// A type together with the kind of its samples, which the compiler knows.
///
/// What makes no sense does not compile: `Statistics.sum(of: samples, .stepCount, in: day)` does, and the
/// same with `.heartRate` does not. For a type that is known only at run time there is
/// ``init(_:)``.
public struct SampleType<Kind: SampleKind>: Hashable, Sendable, CustomStringConvertible
where Kind.Sample == QuantitySample {
    /// The type.
    public let quantityType: QuantityType

    /// Takes a type; nil when its values do not combine like this.
    public init?(_ type: QuantityType) {
        guard Kind.includes(type.aggregationStyle) else { return nil }
        quantityType = type
    }

    /// Takes a type for a constant.
    init(constant type: QuantityType) {
        // Only the constants of this module call it, so no input ever gets here: what does is a constant
        // among those of the wrong kind, which the test that touches every constant finds.
        precondition(Kind.includes(type.aggregationStyle), "\(type) is of another kind")
        quantityType = type
    }

    /// The name of the type.
    public var description: String { quantityType.description }
}
