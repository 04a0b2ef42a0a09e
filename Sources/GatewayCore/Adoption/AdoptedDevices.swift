/// The devices that are the user's own, as the data folder keeps them.
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

    /// The devices, in the order of their identifiers.
    package private(set) var devices: [AdoptedDevice] = []

    /// No device.
    package init() {}

    /// The device with this identifier.
    package subscript(identifier: DeviceIdentifier) -> AdoptedDevice? {
        devices.first { $0.identifier == identifier }
    }

    /// Keeps a device, in the place of the one with the same identifier if there is one.
    package mutating func keep(_ device: AdoptedDevice) {
        remove(device.identifier)
        let place = devices.firstIndex { device.identifier < $0.identifier }
        devices.insert(device, at: place ?? devices.endIndex)
    }

    /// Removes the device with this identifier.
    package mutating func remove(_ identifier: DeviceIdentifier) {
        devices.removeAll { $0.identifier == identifier }
    }
}

extension AdoptedDevices {
    /// Reads the file's text, strictly.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first thing that is wrong.
    package init(json text: String) throws(ConfigurationError) {
        let root = ConfigurationNode(path: "", value: try ConfigurationValue(json5: text))
        // The version first: another one may have other keys.
        if let version = try root.entries().first(where: { $0.key == "v" })?.node {
            guard try version.number() == Double(Self.version) else {
                throw version.error("was written by another version of pulsegate; use that one")
            }
        }
        let object = try root.object(keys: ["v", "devices"])
        _ = try object.require("v")
        for (key, node) in try object.require("devices").entries() {
            guard let identifier = DeviceIdentifier(key) else {
                throw node.error("expected \(DeviceIdentifier.examples)")
            }
            guard self[identifier] == nil else { throw node.error("the device stands here twice") }
            keep(try AdoptedDevice(identifier, node))
        }
        guard devices.count <= Self.limit else {
            throw ConfigurationError(path: "devices", problem: "over \(Self.limit) devices")
        }
    }

    /// The file's text.
    package var json: String {
        let entries = devices.map { device in
            "\(ConfigurationValue.string(device.identifier.description).json):\(device.value.json)"
        }
        return "{\"v\":\(Self.version),\"devices\":{\n"
            + entries.joined(separator: ",\n") + "\n}}\n"
    }
}

extension People {
    /// The same people, with what was said of adopted devices where the configuration says nothing.
    ///
    /// - Throws: ``ConfigurationError`` when a device is bound to somebody who is not there.
    package func adding(_ adopted: AdoptedDevices) throws(ConfigurationError) -> People {
        var people = self
        for device in adopted.devices {
            let identifier = device.identifier.description
            if let person = device.person, binding(of: identifier)?.person == nil,
                !names.contains(person)
            {
                throw ConfigurationError(
                    path: "devices.\(identifier).person",
                    problem: "`\(person)` is unknown; "
                        + Suggestion.message(unknown: person, known: names))
            }
            people.complete(
                Binding(
                    device: identifier, person: device.person, name: device.name,
                    statedRole: device.role))
        }
        return people
    }
}
