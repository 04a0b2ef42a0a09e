package import Bluetooth
import GatewayCore
package import HealthModel
import JSON
import Readings
package import Serial

/// Makes the adapters of a capture again, from the settings of their links.
package struct AdapterMaker: Sendable {
    private let profiles: [GATTProfileFactory]
    private let protocols: [SerialProtocolFactory]
    private let types: QuantityTypes

    /// Creates a maker for the built-in profiles and protocols.
    package init(
        profiles: [GATTProfileFactory], protocols: [SerialProtocolFactory], types: QuantityTypes
    ) {
        self.profiles = profiles
        self.protocols = protocols
        self.types = types
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
    ///
    /// - Throws: ``ConfigurationError`` for an unknown profile or protocol.
    func make(_ settings: JSONValue) throws(ConfigurationError) -> Made {
        let node = ConfigurationNode(path: "adapter", value: settings, types: types)
        let object = try node.object(keys: ["profiles", "protocol"])
        if let setting = object["protocol"] {
            let spoken = try SerialProtocolFactory.makeProtocol(setting, from: protocols)
            return Made(adapter: spoken.makeAdapter(), isBluetooth: false)
        }
        let made = try GATTProfileFactory.makeProfiles(object.require("profiles"), from: profiles)
        return Made(adapter: GATTAdapter(profiles: made), isBluetooth: true)
    }
}
