import JSON

/// The address of a Bluetooth device or adapter: six bytes, written `D0:11:22:33:44:55`.
public struct BluetoothAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let byteCount = 6

    /// Where an address comes from (Bluetooth Core 5.4, Vol 6, Part B, §1.3).
    public enum Kind: String, Hashable, Sendable {
        /// The maker of the device has it from the IEEE.
        case `public`
        /// The device has made it up.
        case random
    }

    /// The six bytes as one number, the first one highest.
    private let number: UInt64

    /// Reads six pairs of hexadecimal digits in either case with colons between them; `nil` for
    /// anything else.
    public init?(_ text: String) {
        let pairs = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard pairs.count == Self.byteCount else { return nil }
        var number: UInt64 = 0
        for pair in pairs {
            guard pair.count == 2 else { return nil }
            for digit in pair {
                guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
                number = number << 4 | UInt64(value)
            }
        }
        self.number = number
    }

    /// The address in upper case.
    public var description: String {
        // Every report of a device names it, so it is written in one piece.
        let length = Self.byteCount * 3 - 1
        return String(unsafeUninitializedCapacity: length) { text in
            var number = number
            for end in stride(from: length - 1, through: 0, by: -3) {
                text[end] = Self.digit(number & 0xF)
                text[end - 1] = Self.digit(number >> 4 & 0xF)
                if end > 2 { text[end - 2] = UInt8(ascii: ":") }
                number >>= 8
            }
            return length
        }
    }

    private static func digit(_ value: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: value) + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }

    /// The six bytes in the order in which they are written.
    package var bytes: [UInt8] {
        stride(from: (Self.byteCount - 1) * 8, through: 0, by: -8).map { shift in
            UInt8(truncatingIfNeeded: number >> UInt64(shift))
        }
    }

    /// Whether a device can have it: neither nothing but zeros nor nothing but ones.
    public var isUsable: Bool { number != 0 && number != 0xFFFF_FFFF_FFFF }

    /// Whether a device with an address of this kind soon takes another one, by which only those know it
    /// again that are paired with it (Bluetooth Core 5.4, Vol 6, Part B, §1.3.2.2).
    ///
    /// The two highest bits of a random address say so. There is no point in remembering such a device
    /// by it.
    public func isResolvablePrivate(_ kind: Kind) -> Bool {
        kind == .random && number >> 46 == 0b01
    }

    /// Whether `left` sorts before `right`, as their texts do.
    public static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
        left.number < right.number
    }
}

extension BluetoothAddress {
    /// The address that stands in the configuration.
    package static func from(_ node: ConfigurationNode) throws(ConfigurationError)
        -> BluetoothAddress
    {
        let text = try node.string()
        guard let address = BluetoothAddress(text) else {
            throw node.error("`\(text)` is no Bluetooth address, such as D0:11:22:33:44:55")
        }
        return address
    }
}
