package import GatewayCore
import HealthModel
import JSON

/// A device that is adopted, or that the configuration names.
package struct KnownDevice: Hashable, Sendable {
    /// The address or the port.
    package let identifier: String
    /// What `adopt` stored; nil for a device that is only in the configuration.
    package let adopted: AdoptedDevice?
    /// What the configuration sets, completed by what `adopt` stored.
    package let binding: People.Binding?
    /// The name of the source that reads the device; nil when no source does.
    package let source: String?

    /// Writes the device for programs.
    func write(to json: inout JSONWriter) {
        json.field("device", identifier)
        json.field("adopted", adopted != nil)
        json.field("since", adopted?.since.description)
        json.field("person", binding?.person)
        json.field("role", binding?.configuredRole?.rawValue)
        json.field("name", binding?.name)
        if let spoken = adopted?.spoken {
            json.field("protocol") { $0 += spoken.json.utf8 }
        }
        json.field("format", adopted?.format)
        json.field("source", source)
    }
}

extension GatewayPlan {
    /// The devices that are adopted or that the configuration names, in the order of their identifiers.
    package var knownDevices: [KnownDevice] {
        let named = claims.flatMap(\.claim.named) + configuration.people.boundDevices
        let identifiers = Set(named.map { DeviceIdentifier($0)?.description ?? $0 })
            .union(adopted.devices.map(\.identifier.description))
        return identifiers.sorted().map { identifier in
            KnownDevice(
                identifier: identifier,
                adopted: DeviceIdentifier(identifier).flatMap { adopted[$0] },
                binding: configuration.people.binding(of: identifier),
                source: source(reading: identifier))
        }
    }

    private func source(reading identifier: String) -> String? {
        let named = claims.first { $0.claim.named.contains(identifier) }
        if let named { return named.component.name }
        guard let known = DeviceIdentifier(identifier) else { return nil }
        let device = adopted[known] ?? AdoptedDevice(known, since: Instant(nanosecondsSince1970: 0))
        return claims.first { $0.includes(device) }?.component.name
    }
}
