import JSON

/// A finite value in a unit.
public struct Quantity: Hashable, Sendable, CustomStringConvertible {
    /// The value in `unit`; always finite.
    public let value: Double
    /// The original unit of the value.
    public let unit: Unit

    /// Makes a quantity.
    /// - Throws: `notFinite` for an infinite value or one that is not a number.
    public init(_ value: Double, _ unit: Unit) throws(QuantityError) {
        guard value.isFinite else { throw .notFinite(unit: unit.string) }
        self.value = value
        self.unit = unit
    }

    /// Makes a quantity of a value that is known to be finite.
    init(finite value: Double, _ unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// Returns the value in another unit.
    /// - Throws: `conversion` when the units are not compatible.
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

    /// Compares this quantity with another one, which may have another unit.
    /// - Throws: `conversion` when the units are not compatible.
    public func compare(to other: Quantity) throws(QuantityError) -> Order {
        let otherValue = try other.value(in: unit)
        if value < otherValue { return .less }
        return value > otherValue ? .greater : .equal
    }

    /// The result of a comparison.
    public enum Order: Sendable {
        /// The quantity is smaller.
        case less
        /// The quantities are equal.
        case equal
        /// The quantity is larger.
        case greater
    }

    /// The value and its unit, such as `72 count/min`.
    public var description: String { "\(valueText) \(unit)" }

    /// The value as in JSON: the shortest text that reads back exactly, whole numbers without a
    /// fraction.
    public var valueText: String { Number.string(value) }
}

/// An error of a quantity that is not valid or cannot be converted.
public enum QuantityError: Error, Equatable, CustomStringConvertible {
    /// The value is infinite or not a number.
    case notFinite(unit: String)
    /// The value has no equivalent in the unit.
    case conversion(UnitConversionError)
    /// The unit has an offset zero, so its values cannot be added or scaled.
    case offsetZero(unit: String)

    /// The message, without the value.
    public var description: String {
        switch self {
        case .notFinite(let unit): "a value in \(unit) must be a finite number"
        case .conversion(let error): error.description
        case .offsetZero(let unit):
            "values in \(unit) cannot be added or scaled: the unit has an offset zero; convert them to K"
        }
    }
}
