public import HealthModel

/// The energy balance of a body over a span of time: active + resting − consumed energy.
public struct EnergyBalance: Hashable, Sendable {
    /// The resting energy and its origin.
    public enum Resting: Hashable, Sendable {
        /// Samples of `basalEnergyBurned`.
        case measured(Quantity)
        /// Samples for part of the time, and an equation for the rest.
        case completed(Quantity)
        /// Samples for part of the time; the rest is missing.
        case partial(Quantity)
        /// An equation, because there are no samples.
        case estimated(Quantity)
        /// Neither samples nor an equation: there is no balance.
        case unknown
    }

    /// The active energy burned; nil when there are no samples.
    public let active: Quantity?
    /// The resting energy burned.
    public let resting: Resting
    /// The dietary energy consumed; nil when there are no samples.
    public let consumed: Quantity?

    /// Makes a balance from its parts; each is an energy.
    public init(active: Quantity?, resting: Resting, consumed: Quantity?) {
        self.active = active
        self.resting = resting
        self.consumed = consumed
    }

    /// The burned minus the consumed energy, in `kcal`; negative when less was burned.
    ///
    /// It is nil when the resting energy is unknown, because the largest part of the burned energy
    /// would be missing. Missing active or consumed energy counts as 0.
    public var balance: Quantity? {
        guard let resting = restingQuantity, let spent = Self.kilocalories(resting),
            let active = Self.kilocalories(active), let consumed = Self.kilocalories(consumed)
        else { return nil }
        return try? Quantity(active + spent - consumed, .kilocalorie)
    }

    /// The resting energy of any origin; nil when it is unknown.
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
