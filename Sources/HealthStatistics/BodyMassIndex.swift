public import HealthModel

/// The body-mass index: mass over height squared, in kg/m² (Quetelet 1832; WHO Technical Report 894).
///
/// HealthKit gives it the unit `count`.
public struct BodyMassIndex: Hashable, Sendable {
    /// The mass that it is reckoned from.
    public let mass: QuantitySample
    /// The height that it is reckoned from.
    public let height: QuantitySample
    /// The index, in `count`.
    public let quantity: Quantity

    /// Reckons the index from the latest mass and the latest height.
    ///
    /// What is dated later than `now` is left aside: a clock was wrong, or somebody has mistyped a date.
    /// The order of the samples does not matter; of those with one time the last one counts.
    ///
    /// - Throws: ``DerivationError`` when there is no mass or no height, or they are not those of a body.
    public init(
        masses: [QuantitySample], heights: [QuantitySample], now: Instant
    ) throws(DerivationError) {
        guard let mass = masses.latest(.bodyMass, until: now) else { throw .missing(.bodyMass) }
        guard let height = heights.latest(.height, until: now) else { throw .missing(.height) }
        guard let kilograms = try? mass.quantity.value(in: .kilogram),
            let meters = try? height.quantity.value(in: .meter), kilograms > 0, meters > 0,
            let quantity = try? Quantity(kilograms / (meters * meters), .count),
            QuantityType.bodyMassIndex.isPlausible(quantity)
        else { throw .implausible(.bodyMassIndex) }
        self.mass = mass
        self.height = height
        self.quantity = quantity
    }
}

extension [QuantitySample] {
    /// The sample of a type that ended last, of those that are not dated later than a time.
    ///
    /// Of those with one end the last one counts.
    package func latest(_ type: QuantityType, until time: Instant) -> QuantitySample? {
        let known = filter { $0.type == type && $0.end <= time }
        return known.indices.max { (known[$0].end, $0) < (known[$1].end, $1) }.map { known[$0] }
    }
}

/// A value cannot be reckoned from others.
public enum DerivationError: Error, Equatable, CustomStringConvertible {
    /// There is no sample of a type that is needed.
    case missing(QuantityType)
    /// The result is none that a body has, so a sample it is reckoned from is wrong.
    case implausible(QuantityType)

    /// The message, without a value.
    public var description: String {
        switch self {
        case .missing(let type):
            "there is no \(type.name) that is not dated in the future; add one first"
        case .implausible(let type):
            "\(type.name) would not be that of a body; look at the samples it is reckoned from"
        }
    }
}
