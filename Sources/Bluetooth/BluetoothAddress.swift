import GatewayCore

/// The address of a Bluetooth device or adapter: six bytes, written `D0:11:22:33:44:55`.
public struct BluetoothAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let byteCount = 6

    /// The six bytes as one number, the first one highest.
    private let number: UInt64

    /// Reads six pairs of hexadecimal digits in either case with colons between them; `nil` for
    /// anything else.
    public init?(_ text: String) {
        let pairs = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard pairs.count == Self.byteCount else { return nil }
        var number: UInt64 = 0
        for pair in pairs {
            guard pair.count == 2, pair.first != UInt8(ascii: "+"),
                let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            number = number << 8 | UInt64(byte)
        }
        self.number = number
    }

    /// The address in upper case.
    public var description: String {
        stride(from: (Self.byteCount - 1) * 8, through: 0, by: -8).map { shift in
            let digits = String(number >> UInt64(shift) & 0xFF, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined(separator: ":")
    }

    /// Whether `left` sorts before `right`, as their texts do.
    public static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
        left.number < right.number
    }
}

extension BluetoothAddress {
    /// The address that stands in the configuration.
    static func from(_ node: ConfigurationNode) throws(ConfigurationError) -> BluetoothAddress {
        let text = try node.string()
        guard let address = BluetoothAddress(text) else {
            throw node.error("`\(text)` is no Bluetooth address, such as D0:11:22:33:44:55")
        }
        return address
    }
}
