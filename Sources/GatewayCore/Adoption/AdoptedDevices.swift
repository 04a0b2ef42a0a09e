import JSON

/// The devices that are the user's own, as the data directory keeps them.
///
/// The file is one JSON object, with a device a line:
///
///     {"v":1,"devices":{
///     "/dev/ttyUSB0":{"protocol":"hxm","since":"2026-11-21T18:15:00.000Z"},
///     "D0:11:22:33:44:55":{"person":"ada","since":"2026-11-21T18:15:00.000Z"}
///     }}
package struct AdoptedDevices: Hashable, Sendable {
    /// The version of the file's format.
    static let version = 1
    /// So many devices at most: one gateway cannot read more.
    package static let limit = 1_000

    private var byIdentifier: [DeviceIdentifier: AdoptedDevice] = [:]

    /// The devices, in the order of their identifiers.
    package var devices: [AdoptedDevice] {
        byIdentifier.values.sorted { $0.identifier < $1.identifier }
    }

    /// How many there are.
    package var count: Int { byIdentifier.count }

    /// No device.
    package init() {}

    /// The device with this identifier.
    package subscript(identifier: DeviceIdentifier) -> AdoptedDevice? {
        byIdentifier[identifier]
    }

    /// Keeps a device, in the place of the one with the same identifier if there is one.
    package mutating func keep(_ device: AdoptedDevice) {
        byIdentifier[device.identifier] = device
    }

    /// Removes the device with this identifier.
    package mutating func remove(_ identifier: DeviceIdentifier) {
        byIdentifier[identifier] = nil
    }
}

extension AdoptedDevices {
    /// Reads the file's text, strictly.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first thing that is wrong.
    package init(json text: String) throws(ConfigurationError) {
        let root = try ConfigurationNode(json5: text)
        // The version first: another one may have other keys.
        if let version = try root.entries().first(where: { $0.key == "v" })?.node {
            guard try version.number() == Double(Self.version) else {
                throw version.error("was written by another version of pulsegate; use that one")
            }
        }
        let object = try root.object(keys: ["v", "devices"])
        _ = try object.require("v")
        let entries = try object.require("devices").entries()
        guard entries.count <= Self.limit else {
            throw ConfigurationError(path: "devices", problem: "over \(Self.limit) devices")
        }
        for (key, node) in entries {
            guard let identifier = DeviceIdentifier(key) else {
                throw node.error("expected \(DeviceIdentifier.examples)")
            }
            guard self[identifier] == nil else { throw node.error("the device stands here twice") }
            keep(try AdoptedDevice(identifier, node))
        }
    }

    /// The file's text.
    package var json: String {
        let entries = devices.map { device in
            "\(JSONValue.string(device.identifier.description).json):\(device.value.json)"
        }
        return "{\"v\":\(Self.version),\"devices\":{\n"
            + entries.joined(separator: ",\n") + "\n}}\n"
    }
}

extension People {
    /// The same people, with what was said of adopted devices where the configuration says nothing.
    ///
    /// A device that is bound to somebody who is not there is nobody's.
    package func adding(_ adopted: AdoptedDevices) -> People {
        var people = self
        for device in adopted.devices {
            let person = device.person.flatMap { names.contains($0) ? $0 : nil }
            people.complete(
                Binding(
                    device: device.identifier.description, person: person, name: device.name,
                    statedRole: device.role))
        }
        return people
    }

    /// The adopted devices that are bound to somebody who is not there, and each one's person.
    package func unknownPeople(
        _ adopted: AdoptedDevices
    ) -> [(device: DeviceIdentifier, person: String)] {
        adopted.devices.compactMap { device in
            guard let person = device.person, !names.contains(person),
                binding(of: device.identifier.description)?.person == nil
            else { return nil }
            return (device.identifier, person)
        }
    }
}
