/// The UUID of a service or characteristic; assigned numbers have a short form.
///
/// The short forms stand for `0000xxxx-0000-1000-8000-00805f9b34fb` (Bluetooth Core Specification,
/// Vol 3, Part B, §2.5.1), so `180d` and the long form of it are equal.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB
    /// The positions of the hyphens in the long form.
    private static let hyphens: Set<Int> = [8, 13, 18, 23]
    private static let longLength = 36

    private let high: UInt64
    private let low: UInt64

    /// Makes the UUID of a 16-bit assigned number: `0x180D`.
    public init(_ short: UInt16) {
        high = UInt64(short) << 32 | Self.baseHigh
        low = Self.baseLow
    }

    /// Makes a UUID of 128 bits, such as that of a maker's own service.
    public init(long number: UInt128) {
        high = UInt64(truncatingIfNeeded: number >> 64)
        low = UInt64(truncatingIfNeeded: number)
    }

    /// Reads 4, 8 or, with hyphens, 32 hexadecimal digits in either case; `nil` for anything else.
    public init?(_ string: String) {
        let text = Array(string.utf8.prefix(Self.longLength + 1))
        switch text.count {
        case 4, 8:
            guard let short = Self.number(text[...]) else { return nil }
            high = short << 32 | Self.baseHigh
            low = Self.baseLow
        case Self.longLength:
            guard Self.hyphens.allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
            let digits = text.indices.filter { !Self.hyphens.contains($0) }.map { text[$0] }
            guard let high = Self.number(digits[..<16]), let low = Self.number(digits[16...])
            else { return nil }
            self.high = high
            self.low = low
        default: return nil
        }
    }

    /// The 16-bit assigned number, when it has one.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt16(exactly: high >> 32)
    }

    /// The long form in lower case, as BlueZ writes it.
    public var description: String {
        let digits = Self.padded(high) + Self.padded(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }

    private static func padded(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The number that at most 16 hexadecimal digits stand for.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }
}
