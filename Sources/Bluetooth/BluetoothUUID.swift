/// The UUID of a service or characteristic; assigned numbers have a short form.
///
/// The short forms stand for `0000xxxx-0000-1000-8000-00805f9b34fb` (Bluetooth Core Specification,
/// Vol 3, Part B, §2.5.1), so `180d` and the long form of it are equal.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB
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
        let text = string.utf8
        let isLong = text.count == Self.longLength
        guard isLong || text.count == 4 || text.count == 8,
            let number = Self.number(text, isLong: isLong)
        else { return nil }
        high = isLong ? number.high : number.low << 32 | Self.baseHigh
        low = isLong ? number.low : Self.baseLow
    }

    /// The 16-bit assigned number, when it has one.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt16(exactly: high >> 32)
    }

    /// The long form in lower case, as BlueZ writes it.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.longLength) { bytes in
            var position = 0
            for digit in 0..<32 {
                if Self.isHyphen(position) {
                    bytes[position] = UInt8(ascii: "-")
                    position += 1
                }
                let half = digit < 16 ? high : low
                bytes[position] = Self.letter(UInt8(half >> UInt64(60 - digit % 16 * 4) & 15))
                position += 1
            }
            return position
        }
    }

    /// Whether the long form has a hyphen at this position.
    private static func isHyphen(_ position: Int) -> Bool {
        switch position {
        case 8, 13, 18, 23: true
        default: false
        }
    }

    private static func letter(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The number that the hexadecimal digits stand for, in the long form with hyphens.
    private static func number(
        _ text: String.UTF8View, isLong: Bool
    ) -> (high: UInt64, low: UInt64)? {
        var (high, low): (UInt64, UInt64) = (0, 0)
        var position = 0
        for letter in text {
            defer { position += 1 }
            if isLong, isHyphen(position) {
                guard letter == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = digit(letter) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        return (high, low)
    }
}
