import GatewayCore
import JSON

/// A Bluetooth address and an RFCOMM channel.
struct RFCOMMEndpoint: Hashable, Sendable {
    /// The valid channels (RFCOMM 1.2, section 5.4: server channels).
    static let channels = 1...30
    /// The channel of most devices with one serial port.
    static let defaultChannel = 1

    /// The address, which is the device's local identifier.
    let address: BluetoothAddress
    let channel: Int

    /// Parses an address such as `00:07:80:12:34:56`; `nil` if it is invalid.
    init?(address: String, channel: Int = defaultChannel) {
        guard let address = BluetoothAddress(address), Self.channels.contains(channel)
        else { return nil }
        self.address = address
        self.channel = channel
    }

    /// Parses `address` and `channel` of the configuration.
    init(_ settings: ConfigurationObject) throws(ConfigurationError) {
        let address = try settings.require("address")
        let channel = try settings["channel"]?.integer(in: Self.channels) ?? Self.defaultChannel
        guard let endpoint = Self(address: try address.string(), channel: channel) else {
            throw address.error(
                "must be six pairs of hexadecimal digits, such as 00:07:80:12:34:56")
        }
        self = endpoint
    }
}
