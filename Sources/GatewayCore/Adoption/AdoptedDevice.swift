package import HealthModel
package import JSON

/// An adopted device with its settings.
package struct AdoptedDevice: Hashable, Sendable {
    /// The address or the path of the port.
    package let identifier: DeviceIdentifier
    /// The person who wears it.
    package var person: String?
    /// Its priority among devices that measure the same type.
    package var role: People.Role?
    /// The configured name.
    package var name: String?
    /// Its protocol, as in the key `protocol` of a configuration: for ports and classic Bluetooth.
    package var spoken: JSONValue?
    /// The format of its advertisements, such as `bthome`; nil for a device that is connected.
    package var format: String?
    /// When it was adopted.
    package let since: Instant

    /// Makes a device without settings.
    package init(_ identifier: DeviceIdentifier, since: Instant) {
        self.identifier = identifier
        self.since = since
    }

    /// Whether it is a classic Bluetooth device, read as a stream of bytes.
    package var isClassic: Bool { !identifier.isPort && spoken != nil }

    /// Whether a random address is resolvable private and therefore changes: its two highest bits
    /// are 01 (Bluetooth Core Specification, Vol 6, Part B, §1.3.2.2).
    package var mayChangeAddress: Bool {
        guard !identifier.isPort, !isClassic,
            let highest = UInt8(identifier.description.prefix(2), radix: 16)
        else { return false }
        return highest >> 6 == 0b01
    }

    /// Returns whether a text is a valid device name: not empty, without control characters, and
    /// within the maximum length of text in a sample.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Device.maximumTextLength
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The message for an invalid device name.
    package static let nameProblem =
        "a device name must be 1 to \(Device.maximumTextLength) bytes without control characters"
}

extension AdoptedDevice {
    /// Reads the value of the device's key.
    package init(
        _ identifier: DeviceIdentifier, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        let object = try node.object(keys: [
            "person", "role", "name", "protocol", "format", "since",
        ])
        let since = try object.require("since")
        guard let instant = Instant(iso8601: try since.string()) else {
            throw since.error("expected a time such as 2026-11-21T18:15:00Z")
        }
        self.init(identifier, since: instant)
        if let node = object["person"] {
            let name = try node.string()
            guard Person.isValidName(name) else { throw node.error("\(PersonError.name)") }
            person = name
        }
        role = try object["role"]
            .map { node throws(ConfigurationError) in
                try node.choice(of: People.Role.allCases.map(\.rawValue))
            }
            .flatMap(People.Role.init)
        if let node = object["name"] {
            let text = try node.string()
            guard Self.isName(text) else { throw node.error(Self.nameProblem) }
            name = text
        }
        format = try object["format"]?.string()
        if let node = object["protocol"] {
            _ = try node.component()
            guard node.value.isJSON else {
                throw node.error("contains a number that is not finite")
            }
            spoken = node.value
        }
    }

    /// The value of the device's key.
    package var value: JSONValue {
        var object: [String: JSONValue] = ["since": .string(since.description)]
        object["person"] = person.map(JSONValue.string)
        object["role"] = role.map { .string($0.rawValue) }
        object["name"] = name.map(JSONValue.string)
        object["protocol"] = spoken
        object["format"] = format.map(JSONValue.string)
        return .object(object)
    }
}
