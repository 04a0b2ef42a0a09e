import JSON

/// A finite value in a unit.
public struct Quantity: Hashable, Sendable, CustomStringConvertible {
    /// The value in `unit`; always finite.
    public let value: Double
    /// The unit the value was given in.
    public let unit: Unit

    /// Makes a quantity.
    /// - Throws: `notFinite` for an infinite value or one that is not a number.
    public init(_ value: Double, _ unit: Unit) throws(QuantityError) {
        guard value.isFinite else { throw .notFinite(unit: unit.string) }
        self.value = value
        self.unit = unit
    }

    /// Returns the value in another unit.
    /// - Throws: `conversion` when the units measure different things.
    public func value(in unit: Unit) throws(QuantityError) -> Double {
        do {
            return try self.unit.convert(value, to: unit)
        } catch {
            throw .conversion(error)
        }
    }

    /// Whether the quantity can be expressed in a unit.
    public func isCompatible(with unit: Unit) -> Bool {
        self.unit.isCompatible(with: unit)
    }

    /// Returns how this quantity stands to another one, which may have another unit.
    /// - Throws: `conversion` when the units measure different things.
    public func compare(to other: Quantity) throws(QuantityError) -> Order {
        let otherValue = try other.value(in: unit)
        if value < otherValue { return .less }
        return value > otherValue ? .greater : .equal
    }

    /// How one quantity stands to another.
    public enum Order: Sendable {
        /// It is smaller.
        case less
        /// It is the same.
        case equal
        /// It is larger.
        case greater
    }

    /// The value and its unit, as `72 count/min`.
    public var description: String { "\(valueText) \(unit)" }

    /// The value as in JSON: the shortest text that reads the same, a whole number without a fraction.
    public var valueText: String { Number.string(value) }
}

/// A quantity cannot be made or expressed.
public enum QuantityError: Error, Equatable, CustomStringConvertible {
    /// The value is infinite or not a number.
    case notFinite(unit: String)
    /// The value has no equivalent in the unit.
    case conversion(UnitConversionError)
    /// The unit's zero is not that of what it measures, so its values are no amounts.
    case zeroOfItsOwn(unit: String)

    /// The message, without the value.
    public var description: String {
        switch self {
        case .notFinite(let unit): "a value in \(unit) is not a finite number"
        case .conversion(let error): error.description
        case .zeroOfItsOwn(let unit):
            "a value in \(unit) cannot be added or scaled, as its zero is not zero; convert it to K"
        }
    }
}
