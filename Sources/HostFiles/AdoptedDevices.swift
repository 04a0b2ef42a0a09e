package import GatewayCore
package import JSON

/// The adopted devices in the data directory:
/// `"D0:11:22:33:44:55":{"person":"ada","since":"2026-11-21T18:15:00.000Z"}`.
package typealias AdoptedDevices = PersistedEntries<AdoptedDevice>

extension AdoptedDevices {
    /// The devices, sorted by identifier.
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
    /// Returns these people, completed with the settings of adopted devices.
    ///
    /// An unknown person of a device is ignored.
    package func adding(_ adopted: AdoptedDevices) -> People {
        var people = self
        for device in adopted.devices {
            let person = device.person.flatMap { names.contains($0) ? $0 : nil }
            people.complete(
                Binding(
                    device: device.identifier.description, person: person, name: device.name,
                    configuredRole: device.role))
        }
        return people
    }

    /// Returns the adopted devices whose person is unknown, with that person.
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
