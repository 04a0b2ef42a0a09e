public import HealthModel

/// The body-mass index: mass over height squared, in kg/m² (Quetelet 1832; WHO Technical Report 894).
///
/// Its unit in HealthKit is `count`.
public struct BodyMassIndex: Hashable, Sendable {
    /// The body mass that the index is calculated from.
    public let mass: QuantitySample
    /// The height that the index is calculated from.
    public let height: QuantitySample
    /// The index, in `count`.
    public let quantity: Quantity

    /// Calculates the index from the latest mass and the latest height.
    ///
    /// Samples later than `now` are ignored: they come from a wrong clock or a mistyped date. The
    /// order of the samples does not matter; of samples with the same time the last one counts.
    ///
    /// - Throws: ``DerivationError`` when there is no mass or no height, or the index is not
    /// plausible.
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
    /// The latest sample of a type that ends no later than a time.
    ///
    /// Of samples with the same end the last one counts.
    package func latest(_ type: QuantityType, until time: Instant) -> QuantitySample? {
        let known = filter { $0.type == type && $0.end <= time }
        return known.indices.max { (known[$0].end, $0) < (known[$1].end, $1) }.map { known[$0] }
    }
}

/// An error of a value that cannot be calculated from others.
public enum DerivationError: Error, Equatable, CustomStringConvertible {
    /// There is no sample of a required type.
    case missing(QuantityType)
    /// The result is not plausible, so a sample that it is calculated from is wrong.
    case implausible(QuantityType)

    /// The message, without a value.
    public var description: String {
        switch self {
        case .missing(let type):
            "no \(type.name) sample found; add one"
        case .implausible(let type):
            "the calculated \(type.name) is not plausible; check the samples it is calculated from"
        }
    }
}
