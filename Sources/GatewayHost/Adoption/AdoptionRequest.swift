package import GatewayCore
package import HealthModel
package import JSON
import Platform

/// A request to adopt a device, or to change the facts of an adopted device.
package struct AdoptionRequest: Hashable, Sendable {
    /// The key of the device's address or port.
    package static let deviceKey = "device"
    /// The keys of a request.
    package static let keys = [deviceKey, "person", "role", "name", "protocol", "format"]

    /// The address or the port.
    package let identifier: DeviceIdentifier
    /// The person who wears the device; nil when it is not given.
    package var person: String?
    /// The role; nil when it is not given.
    package var role: People.Role?
    /// The name; nil when it is not given.
    package var name: String?
    /// The protocol, as in a configuration; nil when it is not given.
    package var spoken: JSONValue?
    /// The format of its advertisements; nil when it is not given.
    package var format: String?

    /// Reads a request.
    ///
    /// - Parameter people: The names that `person` can have.
    /// - Parameter formats: The names that `format` can have.
    /// - Parameter checkProtocol: Throws when the settings of a protocol are invalid.
    package init(
        _ node: ConfigurationNode, people: [String], formats: [String],
        checkProtocol: (ConfigurationNode) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError) {
        let object = try node.object(keys: Self.keys)
        identifier = try Self.identifier(try object.require(Self.deviceKey))
        person = try object["person"]?.person(of: people)
        let role = try object["role"]?.choice(of: People.Role.allCases.map(\.rawValue))
        self.role = role.flatMap(People.Role.init)
        if let node = object["name"] {
            let text = try node.string()
            guard AdoptedDevice.isName(text) else { throw node.error(AdoptedDevice.nameProblem) }
            name = text
        }
        format = try object["format"]?.choice(of: formats)
        if let node = object["protocol"] {
            try checkProtocol(node)
            guard node.value.isJSON else { throw node.error("must not contain NaN or infinity") }
            spoken = node.value
        }
    }

    /// Reads an address or the path of a port.
    ///
    /// - Parameter known: Identifiers to suggest in the error message.
    package static func identifier(
        _ node: ConfigurationNode, known: [DeviceIdentifier] = []
    ) throws(ConfigurationError) -> DeviceIdentifier {
        // An empty text gets the message with the examples, too.
        let text = node.value == .string("") ? "" : try node.string()
        if let identifier = DeviceIdentifier(text) { return identifier }
        let nearest = Suggestion.nearest(to: text, in: known.map(\.description))
        let remedy = nearest.map { "; did you mean `\($0)`?" } ?? ""
        throw node.error("expected \(DeviceIdentifier.examples), found `\(text)`\(remedy)")
    }

    /// The device with the facts of the request; facts that are not given stay unchanged.
    package func applied(to old: AdoptedDevice?, at now: Instant) -> AdoptedDevice {
        // Milliseconds are enough for a time that people read.
        let since = now.adding(nanoseconds: -(now.nanosecondsSince1970 % 1_000_000))
        var device = old ?? AdoptedDevice(identifier, since: since)
        device.person = person ?? device.person
        device.role = role ?? device.role
        device.name = name ?? device.name
        device.spoken = spoken ?? device.spoken
        device.format = format ?? device.format
        return device
    }
}
