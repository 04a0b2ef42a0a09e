/// An encoded field of a FIT message.
///
/// A number out of range is written as a missing value.
struct FITField {
    let number: UInt8
    let type: FITBaseType
    let bytes: [UInt8]

    /// The maximum length of a text, in bytes with the final zero.
    private static let maximumTextLength = 64

    private init(_ number: UInt8, _ type: FITBaseType, _ bytes: [UInt8]) {
        self.number = number
        self.type = type
        self.bytes = bytes
    }

    static func enumeration(_ number: UInt8, _ value: Int?) -> FITField {
        FITField(number, .enumeration, [value.map(Double.init)])
    }

    static func uint8(_ number: UInt8, _ value: Double?, scale: Double = 1) -> FITField {
        FITField(number, .uint8, [value], scale: scale)
    }

    static func uint16(_ number: UInt8, _ value: Double?, scale: Double = 1) -> FITField {
        FITField(number, .uint16, [value], scale: scale)
    }

    static func uint32(_ number: UInt8, _ value: Double?, scale: Double = 1) -> FITField {
        FITField(number, .uint32, [value], scale: scale)
    }

    static func uint32z(_ number: UInt8, _ value: UInt32?) -> FITField {
        FITField(number, .uint32z, [value.map(Double.init)])
    }

    /// An array with a fixed number of values; absent ones are written as missing values.
    static func uint16s(
        _ number: UInt8, _ values: ArraySlice<Double>, count: Int, scale: Double = 1
    ) -> FITField {
        let places = (0..<count).map { place in
            place < values.count ? values[values.startIndex + place] : nil
        }
        return FITField(number, .uint16, places, scale: scale)
    }

    static func text(_ number: UInt8, _ text: String) -> FITField {
        var cut = ""
        for character in text where character != "\0" {
            guard cut.utf8.count + character.utf8.count < maximumTextLength else { break }
            cut.append(character)
        }
        return FITField(number, .string, Array(cut.utf8) + [0])
    }

    private init(
        _ number: UInt8, _ type: FITBaseType, _ values: [Double?], scale: Double = 1
    ) {
        var bytes: [UInt8] = []
        for value in values {
            let bits = Self.bits(value, type, scale: scale)
            for byte in 0..<type.size {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(byte * 8)))
            }
        }
        self.init(number, type, bytes)
    }

    private static func bits(_ value: Double?, _ type: FITBaseType, scale: Double) -> UInt64 {
        guard let value else { return type.invalid }
        let scaled = (value * scale).rounded()
        let end = Double(1 << UInt64(type.size * 8))
        guard scaled >= 0, scaled < end else { return type.invalid }
        return UInt64(scaled)
    }
}
