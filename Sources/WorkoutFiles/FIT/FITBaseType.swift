/// The base types of FIT fields (FIT Protocol, table "FIT base types").
///
/// The raw value is the number in a definition message; its highest bit marks types with a byte
/// order.
enum FITBaseType: UInt8, CaseIterable {
    case enumeration = 0x00
    case sint8 = 0x01
    case uint8 = 0x02
    case sint16 = 0x83
    case uint16 = 0x84
    case sint32 = 0x85
    case uint32 = 0x86
    case string = 0x07
    case float32 = 0x88
    case float64 = 0x89
    case uint8z = 0x0A
    case uint16z = 0x8B
    case uint32z = 0x8C
    case byte = 0x0D
    case sint64 = 0x8E
    case uint64 = 0x8F
    case uint64z = 0x90

    /// The size of a value, in bytes.
    var size: Int {
        switch self {
        case .enumeration, .sint8, .uint8, .string, .uint8z, .byte: 1
        case .sint16, .uint16, .uint16z: 2
        case .sint32, .uint32, .float32, .uint32z: 4
        case .float64, .sint64, .uint64, .uint64z: 8
        }
    }

    /// The value that marks a missing value.
    var invalid: UInt64 {
        let ones = size == 8 ? UInt64.max : (1 << UInt64(size * 8)) - 1
        switch self {
        case .uint8z, .uint16z, .uint32z, .uint64z, .string: return 0
        case .sint8, .sint16, .sint32, .sint64: return ones >> 1
        default: return ones
        }
    }

    /// The number of a bit pattern; nil for a missing or non-finite value.
    func number(_ bits: UInt64) -> Double? {
        switch self {
        case .float32:
            let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            return value.isFinite ? value : nil
        case .float64:
            let value = Double(bitPattern: bits)
            return value.isFinite ? value : nil
        case .string: return nil
        case _ where bits == invalid: return nil
        case .sint8: return Double(Int8(truncatingIfNeeded: bits))
        case .sint16: return Double(Int16(truncatingIfNeeded: bits))
        case .sint32: return Double(Int32(truncatingIfNeeded: bits))
        case .sint64: return Double(Int64(bitPattern: bits))
        default: return Double(bits)
        }
    }
}
