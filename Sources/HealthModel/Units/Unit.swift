/// A unit of measurement, such as `count/min` or `mL/min·kg`, in the spelling of HealthKit.
///
/// Units are equal when they consist of the same symbols, regardless of the spelling. Units of the
/// same dimension, such as `L` and `m^3`, are compatible but not equal. A copy costs a reference.
public struct Unit: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length of a unit's text, in bytes of UTF-8.
    public static let maximumTextLength = 128

    private let storage: Storage

    private final class Storage: Sendable {
        let string: String
        let json: [UInt8]
        let dimension: Dimension
        let scale: UnitScale
        let zeroInHundredths: Double

        init(_ factors: UnitFactors) {
            string = factors.text
            json = Array("\"\(string)\"".utf8)  // no symbol needs an escape
            dimension = factors.dimension
            scale = factors.scale
            zeroInHundredths = factors.zeroInHundredths
        }
    }

    /// Reads a unit: symbols joined by `.`, `*` or `·`, at most one `/`, and powers with `^`.
    ///
    /// Multiplication binds tighter than the division: `ml/(kg*min)` is `mL/min·kg`. The empty
    /// text and `()` are the unit of a plain number.
    public init(parsing text: String) throws(UnitParseError) {
        var parser = UnitParser(text)
        do throws(UnitParseError) {
            storage = Storage(try parser.parse())
        } catch {
            throw error.suggesting(UnitSpelling.unit(meantBy: text))
        }
        guard storage.scale.isInRange, storage.string.utf8.count <= Self.maximumTextLength else {
            throw UnitParseError(offset: 0, expected: "a unit with fewer or smaller factors")
        }
    }

    /// Makes a unit from atoms and their exponents, which must be small.
    init(_ factors: (UnitAtom, Int)...) {
        var product = UnitFactors()
        for (atom, exponent) in factors { _ = product.multiply(by: atom, exponent: exponent) }
        storage = Storage(product)
    }

    /// The canonical text.
    ///
    /// It is the same for equal units, and parses to this unit.
    public var string: String { storage.string }

    /// The canonical text.
    public var description: String { storage.string }

    /// Whether the unit's zero is offset from zero of the dimension: 20 degC are not twice 10 degC.
    var hasOffsetZero: Bool { storage.zeroInHundredths != 0 }

    /// The canonical text as a JSON string.
    var json: [UInt8] { storage.json }

    /// Whether a value in this unit can be converted to another unit.
    public func isCompatible(with other: Unit) -> Bool {
        storage === other.storage || storage.dimension == other.storage.dimension
    }

    /// Whether two units consist of the same symbols.
    public static func == (left: Unit, right: Unit) -> Bool {
        // The canonical text identifies the structure.
        left.storage === right.storage || left.storage.string == right.storage.string
    }

    /// Hashes the canonical text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.string)
    }

    /// Converts a value in this unit to another unit.
    ///
    /// `degC` or `degF` alone is a temperature; in a product or a power it is a difference.
    /// - Throws: when the units are not compatible, or the value is not finite in both.
    public func convert(
        _ value: Double, to unit: Unit
    ) throws(UnitConversionError) -> Double {
        guard isCompatible(with: unit) else {
            throw .incompatible(from: string, to: unit.string)
        }
        let result = storage === unit.storage ? value : converted(value, to: unit.storage)
        guard result.isFinite else { throw .outOfRange(from: string, to: unit.string) }
        return result
    }

    @inline(__always)
    private func converted(_ value: Double, to target: Storage) -> Double {
        let (multiplier, divisor) = storage.scale.ratio(to: target.scale)
        if storage.zeroInHundredths == target.zeroInHundredths, multiplier == divisor {
            return value
        }
        if storage.zeroInHundredths == 0, target.zeroInHundredths == 0 {
            let product = value * multiplier
            return product.isFinite ? product / divisor : value / divisor * multiplier
        }
        // (value + zero) · multiplier / divisor − target's zero, over one denominator: the zeros
        // are multiples of 1/100, so 27 degC are exactly 80.6 degF.
        let shift = storage.zeroInHundredths * multiplier - target.zeroInHundredths * divisor
        return (value * multiplier * 100 + shift) / (divisor * 100)
    }
}
