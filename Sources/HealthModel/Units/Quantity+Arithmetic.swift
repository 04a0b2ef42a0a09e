/// Arithmetic with quantities of compatible units.
///
/// A value in `degC` or `degF` is a point on a scale, not an amount: 10 degC plus 10 degC is not
/// 20 degC. It cannot be added or scaled; convert it to `K` first.
extension Quantity {
    /// Returns the sum, in this quantity's unit.
    /// - Throws: when the units are not compatible, one of them has an offset zero, or the sum is
    /// not
    ///   finite.
    public func adding(_ other: Quantity) throws(QuantityError) -> Quantity {
        let otherValue = try other.amount(in: unit)
        return try Quantity(try amount(in: unit) + otherValue, unit)
    }

    /// Returns the difference, in this quantity's unit.
    /// - Throws: when the units are not compatible, one of them has an offset zero, or the
    /// difference is
    ///   not finite.
    public func subtracting(_ other: Quantity) throws(QuantityError) -> Quantity {
        let otherValue = try other.amount(in: unit)
        return try Quantity(try amount(in: unit) - otherValue, unit)
    }

    /// Returns this quantity multiplied by a factor, in its unit.
    /// - Throws: when the unit has an offset zero, or the product is not finite.
    public func scaled(by factor: Double) throws(QuantityError) -> Quantity {
        try Quantity(try amount(in: unit) * factor, unit)
    }

    /// Returns the ratio of this quantity to another one: 3 km are 1.5 times 2,000 m.
    /// - Throws: when the units are not compatible, one of them has an offset zero, or the ratio is
    /// not
    ///   finite, such as after a division by zero.
    public func ratio(to other: Quantity) throws(QuantityError) -> Double {
        let otherValue = try other.amount(in: unit)
        return try Quantity(try amount(in: unit) / otherValue, .null).value
    }

    /// The value as an amount that can be added and scaled.
    private func amount(in unit: Unit) throws(QuantityError) -> Double {
        guard isCompatible(with: unit) else {
            throw .conversion(.incompatible(from: self.unit.string, to: unit.string))
        }
        for unit in [self.unit, unit] where unit.hasOffsetZero {
            throw .offsetZero(unit: unit.string)
        }
        return try value(in: unit)
    }
}
