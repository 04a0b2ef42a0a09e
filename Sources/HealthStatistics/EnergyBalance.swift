public import HealthModel

/// What a body spent and took in, in a span of time: active + resting − consumed energy.
public struct EnergyBalance: Hashable, Sendable {
    /// Where the resting energy comes from.
    public enum Resting: Hashable, Sendable {
        /// Samples of `basalEnergyBurned`.
        case measured(Quantity)
        /// Samples of a part of the time, and an equation for the rest.
        case completed(Quantity)
        /// Samples of a part of the time; the rest is left out.
        case partial(Quantity)
        /// An equation, for want of samples.
        case estimated(Quantity)
        /// Neither: the balance leaves it out.
        case unknown
    }

    /// The energy spent on movement; nil when nobody has measured any.
    public let active: Quantity?
    /// The energy spent at rest.
    public let resting: Resting
    /// The energy eaten and drunk; nil when nobody has said any.
    public let consumed: Quantity?

    /// Takes the parts; each is an energy.
    public init(active: Quantity?, resting: Resting, consumed: Quantity?) {
        self.active = active
        self.resting = resting
        self.consumed = consumed
    }

    /// What was spent above what was eaten, in `kcal`; negative when it was less.
    ///
    /// It is nil while the resting energy is not known: the largest part of what a body spends would be
    /// missing. What nobody has measured or said counts as nothing.
    public var balance: Quantity? {
        guard let resting = restingQuantity, let spent = Self.kilocalories(resting),
            let active = Self.kilocalories(active), let consumed = Self.kilocalories(consumed)
        else { return nil }
        return try? Quantity(active + spent - consumed, .kilocalorie)
    }

    /// The resting energy, wherever it comes from.
    public var restingQuantity: Quantity? {
        switch resting {
        case .measured(let quantity), .completed(let quantity), .partial(let quantity),
            .estimated(let quantity):
            quantity
        case .unknown: nil
        }
    }

    private static func kilocalories(_ quantity: Quantity?) -> Double? {
        guard let quantity else { return 0 }
        return try? quantity.value(in: .kilocalorie)
    }
}
