/// A number of IEEE 11073-20601: a decimal mantissa and exponent, or one of five special values.
///
/// Medical sensors over Bluetooth send it as SFLOAT (16 bits) or FLOAT (32 bits).
public enum MedicalFloat: Hashable, Sendable {
    /// A finite number, rounded to the nearest Double: 18.9 is exactly the literal `18.9`.
    case finite(Double)
    /// NaN: the sensor has no value.
    case notANumber
    /// NRes: the value cannot be represented at this resolution.
    case notAtThisResolution
    /// The value is above the sensor's range.
    case positiveInfinity
    /// The value is below the sensor's range.
    case negativeInfinity
    /// The code that the standard reserves.
    case reserved

    /// The number, nil for a special value.
    public var value: Double? {
        if case .finite(let value) = self { value } else { nil }
    }

    /// Decodes an SFLOAT: 4 bits of exponent, then 12 bits of mantissa, both in two's complement.
    public init(sfloat word: UInt16) {
        let special = Self.special(UInt32(word), notANumber: 0x07FF)
        let mantissa = Int16(bitPattern: word << 4) >> 4
        let exponent = Int16(bitPattern: word) >> 12
        self = special ?? .finite(Self.decimal(Int(mantissa), exponent: Int(exponent)))
    }

    /// Decodes a FLOAT: 8 bits of exponent, then 24 bits of mantissa, both in two's complement.
    public init(float word: UInt32) {
        let special = Self.special(word, notANumber: 0x007F_FFFF)
        let mantissa = Int32(bitPattern: word << 8) >> 8
        let exponent = Int32(bitPattern: word) >> 24
        self = special ?? .finite(Self.decimal(Int(mantissa), exponent: Int(exponent)))
    }

    /// The special values are the five words around the largest mantissa.
    private static func special(_ word: UInt32, notANumber: UInt32) -> MedicalFloat? {
        switch word {
        case notANumber - 1: .positiveInfinity
        case notANumber: .notANumber
        case notANumber + 1: .notAtThisResolution
        case notANumber + 2: .reserved
        case notANumber + 3: .negativeInfinity
        default: nil
        }
    }

    /// The Double nearest to `mantissa` × 10^`exponent`.
    private static func decimal(_ mantissa: Int, exponent: Int) -> Double {
        // A power up to 10^22 is exact, so that one division or multiplication rounds correctly.
        guard abs(exponent) <= 22 else { return Double("\(mantissa)e\(exponent)") ?? 0 }
        var power = 1.0
        for _ in 0..<abs(exponent) { power *= 10 }
        return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    }
}

extension ByteReader {
    /// Reads an IEEE 11073-20601 SFLOAT, 16 bits.
    public mutating func sfloat() throws(ByteDecodingError) -> MedicalFloat {
        MedicalFloat(sfloat: try uint16())
    }

    /// Reads an IEEE 11073-20601 FLOAT, 32 bits.
    public mutating func float() throws(ByteDecodingError) -> MedicalFloat {
        MedicalFloat(float: try uint32())
    }
}
