/// Reckoning with quantities: what measures different things cannot be mixed.
///
/// A bare `degC` or `degF` is a point on a scale, not an amount: 10 degC and 10 degC are not 20 degC.
/// So it cannot be added or scaled; convert it to `K` first.
extension Quantity {
    /// Returns the sum, in this quantity's unit.
    /// - Throws: when the units measure different things, one of them has a zero of its own, or the sum
    ///   is not finite.
    public func adding(_ other: Quantity) throws(QuantityError) -> Quantity {
        let otherValue = try other.amount(in: unit)
        return try Quantity(try amount(in: unit) + otherValue, unit)
    }

    /// Returns the difference, in this quantity's unit.
    /// - Throws: when the units measure different things, one of them has a zero of its own, or the
    ///   difference is not finite.
    public func subtracting(_ other: Quantity) throws(QuantityError) -> Quantity {
        let otherValue = try other.amount(in: unit)
        return try Quantity(try amount(in: unit) - otherValue, unit)
    }

    /// Returns so many times this quantity, in its unit.
    /// - Throws: when the unit has a zero of its own, or the product is not finite.
    public func scaled(by factor: Double) throws(QuantityError) -> Quantity {
        try Quantity(try amount(in: unit) * factor, unit)
    }

    /// Returns how many times another quantity this one is: 3 km are 1.5 times 2,000 m.
    /// - Throws: when the units measure different things, one of them has a zero of its own, or the
    ///   ratio is not finite, as after a division by zero.
    public func ratio(to other: Quantity) throws(QuantityError) -> Double {
        let otherValue = try other.amount(in: unit)
        return try Quantity(try amount(in: unit) / otherValue, .null).value
    }

    /// The value as an amount that can be added and scaled.
    private func amount(in unit: Unit) throws(QuantityError) -> Double {
        guard isCompatible(with: unit) else {
            throw .conversion(.incompatible(from: self.unit.string, to: unit.string))
        }
        for unit in [self.unit, unit] where unit.hasZeroOfItsOwn {
            throw .zeroOfItsOwn(unit: unit.string)
        }
        return try value(in: unit)
    }
}
