package import Advertisements
package import Bluetooth
package import GatewayCore
import JSON
import Readings
package import Serial

/// Makes the adapters of a capture again, from the settings of their links.
package struct AdapterMaker: Sendable {
    /// The address of a device whose own one is not in the capture.
    private static let unknownAddress = BluetoothAddress(number: 0)

    private let profiles: [GATTProfileFactory]
    private let protocols: [SerialProtocolFactory]
    private let formats: [AdvertisementFormatFactory]
    private let context: ComponentContext

    /// Creates a maker for the built-in profiles, protocols and formats.
    package init(
        profiles: [GATTProfileFactory], protocols: [SerialProtocolFactory],
        formats: [AdvertisementFormatFactory], context: ComponentContext
    ) {
        self.profiles = profiles
        self.protocols = protocols
        self.formats = formats
        self.context = context
    }

    /// An adapter and the kind of its link.
    struct Made {
        let adapter: any DeviceAdapter
        /// Whether a value without a reading shows that the device is not silent.
        let isBluetooth: Bool
    }

    /// Makes the adapter of a link.
    ///
    /// No program is started: the lines of one that has decoded for the device are in the capture.
    /// No secret is read: they are not in the capture.
    ///
    /// - Throws: ``ConfigurationError`` for an unknown profile, protocol or format.
    func make(_ settings: JSONValue, for device: String) throws(ConfigurationError) -> Made {
        let node = ConfigurationNode(path: "adapter", value: settings, types: context.types)
        let object = try node.object(keys: ["profiles", "protocol", "formats"])
        if let setting = object["protocol"] {
            let spoken = try SerialProtocolFactory.makeProtocol(setting, from: protocols)
            return Made(adapter: spoken.makeAdapter(), isBluetooth: false)
        }
        if let setting = object["formats"] {
            let made = try AdvertisementFormatFactory.makeFormats(setting, from: formats, context)
            let address = BluetoothAddress(device) ?? Self.unknownAddress
            return Made(
                adapter: AdvertisementAdapter(formats: made, address: address), isBluetooth: true)
        }
        let made = try GATTProfileFactory.makeProfiles(
            object.require("profiles"), from: profiles, types: context.types)
        return Made(adapter: GATTAdapter(profiles: made), isBluetooth: true)
    }
}
