package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Platform
import Programs
import Readings

/// A GATT service that a program decodes.
package struct ExecProfile: GATTProfile, ProgramConfigured {
    private static let characteristicLimit = 32

    /// The configured name.
    package let name: String
    /// The configured service.
    package let service: BluetoothUUID
    /// The configured characteristics to subscribe to.
    package let subscriptions: [BluetoothUUID]
    /// The configured characteristics to read.
    package let reads: [BluetoothUUID]
    /// The configured limit, if there is one.
    package let silenceLimitSeconds: Double?
    /// The configured program.
    package let decoder: ProgramDecoder

    private init(
        _ settings: ConfigurationObject, _ decoder: ProgramDecoder
    ) throws(ConfigurationError) {
        self.decoder = decoder
        name = try Self.name(settings.require("name"))
        service = try Self.identifier(settings.require("service"))
        subscriptions = try Self.identifiers(settings["subscribe"])
        reads = try Self.identifiers(settings["read"])
        silenceLimitSeconds = try ProgramDecoder.silenceLimit(settings)
        guard !subscriptions.isEmpty else {
            throw try settings.require("subscribe").error(
                "must have at least one characteristic, such as \"2a37\"")
        }
    }

    /// Returns nothing: the program decodes the value.
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding { GATTDecoding() }

    /// The factory for an entry `{ use: "exec", name: "glove", service: "…", … }` of `profiles`.
    package static let factory = GATTProfileFactory(use: "exec", about: about, isDefault: false) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: keys)
        return try ExecProfile(settings, try ProgramDecoder(settings, types: node.types))
    }

    private static let keys =
        ["use", "name", "service", "subscribe", "read", "silenceLimit"] + ProgramSettings.keys

    private static func name(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let name = try node.string()
        let isWord = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
        guard isWord, (1...64).contains(name.utf8.count) else {
            throw node.error("must have 1 to 64 letters and digits")
        }
        return name
    }

    private static func identifiers(
        _ node: ConfigurationNode?
    ) throws(ConfigurationError) -> [BluetoothUUID] {
        guard let node else { return [] }
        var identifiers: [BluetoothUUID] = []
        for entry in try node.array() {
            let next = try identifier(entry)
            guard !identifiers.contains(next) else {
                throw entry.error("\(next.shortest) is given twice; remove one of them")
            }
            identifiers.append(next)
        }
        guard identifiers.count <= characteristicLimit else {
            throw node.error("must have up to \(characteristicLimit) characteristics")
        }
        return identifiers
    }

    private static func identifier(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> BluetoothUUID {
        guard let identifier = BluetoothUUID(try node.string()) else {
            throw node.error(
                "must be a UUID, such as \"180d\" or \"6e400001-b5a3-f393-e0a9-e50e24dcca9e\"")
        }
        return identifier
    }
}
