package import HealthModel
package import JSON

/// A device that is the user's own, and what was said of it when it was adopted.
package struct AdoptedDevice: Hashable, Sendable {
    /// The address or the port.
    package let identifier: DeviceIdentifier
    /// Who wears it.
    package var person: String?
    /// Which of several devices for the same thing it is.
    package var role: People.Role?
    /// What the user calls it.
    package var name: String?
    /// What it speaks, as a configuration's `protocol`: for ports and for classic Bluetooth.
    package var spoken: JSONValue?
    /// When it was adopted.
    package let since: Instant

    /// Makes a device of which nothing is said yet.
    package init(_ identifier: DeviceIdentifier, since: Instant) {
        self.identifier = identifier
        self.since = since
    }

    /// Whether it is a classic Bluetooth device, read as a stream of bytes.
    package var isClassic: Bool { !identifier.isPort && spoken != nil }

    /// Whether the address is a resolvable private one, which the device changes from time to time, if it
    /// is a random address at all: its two highest bits are 01 (Bluetooth Core Specification, Vol 6, Part
    /// B, §1.3.2.2).
    package var mayChangeAddress: Bool {
        guard !identifier.isPort, !isClassic,
            let highest = UInt8(identifier.description.prefix(2), radix: 16)
        else { return false }
        return highest >> 6 == 0b01
    }

    /// Whether a text may be a device's name: not empty, without control characters, and no longer
    /// than a sample can carry.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Device.maximumTextLength
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// What is wrong with a text that is no device's name.
    package static let nameProblem =
        "a device's name has 1 to \(Device.maximumTextLength) bytes and no control characters"
}

extension AdoptedDevice {
    /// Reads what stands under the device's identifier.
    init(
        _ identifier: DeviceIdentifier, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        let object = try node.object(keys: ["person", "role", "name", "protocol", "since"])
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
        if let node = object["protocol"] {
            _ = try node.component()
            guard node.value.isJSON else { throw node.error("holds a number that is not finite") }
            spoken = node.value
        }
    }

    /// What stands under the device's identifier.
    var value: JSONValue {
        var object: [String: JSONValue] = ["since": .string(since.description)]
        object["person"] = person.map(JSONValue.string)
        object["role"] = role.map { .string($0.rawValue) }
        object["name"] = name.map(JSONValue.string)
        object["protocol"] = spoken
        return .object(object)
    }
}
