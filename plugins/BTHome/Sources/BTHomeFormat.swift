package import Advertisements
package import Bluetooth
package import GatewayCore
import HealthModel
import JSON

/// BTHome v2: sensors that send their values as service data 0xFCD2 (https://bthome.io/format).
package struct BTHomeFormat: AdvertisementFormat {
    /// The service of BTHome (Bluetooth Assigned Numbers, §3.10: Allterco Robotics).
    static let service = BluetoothUUID(0xFCD2)
    /// The types of values that are unambiguous: a BTHome scale weighs people.
    static let defaults: [String: QuantityType] = ["mass": .bodyMass]
    /// The most equal objects of a packet that can be named: `temperature2`.
    private static let nameLimit = 9

    /// Makes the format from `"bthome"` or
    /// `{ use: "bthome", values: { temperature: "bodyTemperature" } }`.
    package static let factory = AdvertisementFormatFactory(use: "bthome", about: about) {
        node, context throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "values", "keys"])
        return BTHomeFormat(
            types: try settings["values"].map { node throws(ConfigurationError) in
                try types(node, context.types)
            } ?? defaults,
            secrets: try settings["keys"].map { node throws(ConfigurationError) in
                try BTHomeKeys.secrets(node, context)
            } ?? [:])
    }

    /// The name in the configuration.
    package let name = "bthome"
    /// The service data.
    package let parts = [AdvertisementPart.serviceData(Self.service)]

    /// The quantity types of the values, by their names.
    let types: [String: QuantityType]

    /// The places of the keys of devices that encrypt.
    let secrets: [BluetoothAddress: Secret]
    private var ciphers: [BluetoothAddress: AESCCM] = [:]

    init(types: [String: QuantityType], secrets: [BluetoothAddress: Secret]) {
        self.types = types
        self.secrets = secrets
    }

    /// Reads the keys.
    package mutating func load() throws(ConfigurationError) {
        for (address, secret) in secrets { ciphers[address] = try BTHomeKeys.cipher(secret) }
    }

    /// Makes the decoder of one device.
    package func makeDecoder(for address: BluetoothAddress) -> any AdvertisementDecoder {
        BTHomeDecoder(
            types: types, address: address.bytes,
            encryption: ciphers[address].map { BTHomeEncryption($0) })
    }

    private static func types(
        _ node: ConfigurationNode, _ known: QuantityTypes
    ) throws(ConfigurationError) -> [String: QuantityType] {
        var types: [String: QuantityType] = [:]
        for (name, entry) in try node.entries() {
            guard let unit = unit(of: name) else {
                let suggestion = Suggestion.message(unknown: name, known: names)
                throw entry.error("unknown value `\(name)`; \(suggestion)")
            }
            let typeName = try entry.string()
            guard let type = known.named(typeName) else {
                let suggestion = Suggestion.message(
                    unknown: typeName, known: known.all.map(\.name))
                throw entry.error("unknown type `\(typeName)`; \(suggestion)")
            }
            guard unit.isCompatible(with: type.canonicalUnit) else {
                throw entry.error(
                    "`\(name)` is in \(unit), which is not a unit of `\(type.name)`")
            }
            types[name] = type
        }
        return types
    }

    /// The names of the values.
    static let names = Set(BTHomeObject.all.values.compactMap { $0.number?.name }).sorted()

    /// The unit of a value: `temperature`, or `temperature2` for the second one of a packet.
    static func unit(of name: String) -> HealthModel.Unit? {
        let digits = name.reversed().prefix { $0.isNumber }.count
        let base = String(name.dropLast(digits))
        if digits > 0 {
            guard let number = Int(name.suffix(digits)), (2...nameLimit).contains(number) else {
                return nil
            }
        }
        return BTHomeObject.all.values.lazy.compactMap(\.number).first { $0.name == base }?.unit
    }
}
