import GatewayCore

/// Where a Bluetooth device offers a serial port: its address, and the number of the RFCOMM channel.
struct RFCOMMEndpoint: Hashable, Sendable {
    /// The channels that there are (RFCOMM 1.2, section 5.4: server channels).
    static let channels = 1...30
    /// What nearly every device with one serial port uses.
    static let usualChannel = 1
    /// How many bytes an address has.
    static let addressLength = 6

    /// The address, its most significant byte first.
    let bytes: [UInt8]
    let channel: Int

    /// Reads an address such as `00:07:80:12:34:56`; `nil` when it is none.
    init?(address: String, channel: Int = usualChannel) {
        let pairs = address.utf8.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let bytes = pairs.compactMap { pair -> UInt8? in
            guard pair.count == 2, pair.allSatisfy(\.isHexadecimalDigit) else { return nil }
            return UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
        }
        guard pairs.count == Self.addressLength, bytes.count == pairs.count,
            Self.channels.contains(channel)
        else { return nil }
        self.bytes = bytes
        self.channel = channel
    }

    /// Reads `address` and `channel` of the configuration.
    init(_ settings: ConfigurationObject) throws(ConfigurationError) {
        let address = try settings.require("address")
        let channel = try settings["channel"]?.integer(in: Self.channels) ?? Self.usualChannel
        guard let endpoint = Self(address: try address.string(), channel: channel) else {
            throw address.error(
                "must be six pairs of hexadecimal digits, such as 00:07:80:12:34:56")
        }
        self = endpoint
    }

    /// The address in upper case, which is the device's local identifier.
    var address: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count < 2 ? "0\(digits)" : digits
        }.joined(separator: ":")
    }
}
