package import JSON

/// The devices that are the user's own, as the data directory keeps them:
/// `"D0:11:22:33:44:55":{"person":"ada","since":"2026-11-21T18:15:00.000Z"}`.
package typealias AdoptedDevices = PersistedEntries<AdoptedDevice>

extension AdoptedDevices {
    /// The devices, in the order of their identifiers.
    package var devices: [AdoptedDevice] { entries }
}

extension AdoptedDevice: PersistedEntry {
    package static let words = (one: "device", several: "devices")

    package var persistedKey: DeviceIdentifier { identifier }
    package var persistedValue: JSONValue { value }

    package static func read(
        _ key: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> AdoptedDevice {
        guard let identifier = DeviceIdentifier(key) else {
            throw node.error("expected \(DeviceIdentifier.examples)")
        }
        return try AdoptedDevice(identifier, node)
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
