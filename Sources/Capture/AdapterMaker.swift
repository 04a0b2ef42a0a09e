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
    /// - Throws: ``ConfigurationError`` for an unknown profile or protocol, and for a program: a
    ///   file must not be able to start one.
    func make(_ settings: JSONValue) throws(ConfigurationError) -> Made {
        let node = ConfigurationNode(path: "adapter", value: settings, types: types)
        let object = try node.object(keys: ["profiles", "protocol"])
        guard !settings.namesProgram else {
            throw node.error("a replay does not start programs")
        }
        if let setting = object["protocol"] {
            let spoken = try SerialProtocolFactory.makeProtocol(setting, from: protocols)
            return Made(adapter: spoken.makeAdapter(), isBluetooth: false)
        }
        let made = try GATTProfileFactory.makeProfiles(object.require("profiles"), from: profiles)
        return Made(adapter: GATTAdapter(profiles: made), isBluetooth: true)
    }
}

extension JSONValue {
    /// Whether a decoder outside the gateway is named anywhere in the settings.
    fileprivate var namesProgram: Bool {
        switch self {
        case .string(let text): text == "exec"
        case .array(let array): array.contains(where: \.namesProgram)
        case .object(let object):
            object.keys.contains("command") || object.values.contains(where: \.namesProgram)
        case .null, .boolean, .number: false
        }
    }
}
