package import GatewayCore
import JSON

/// A source of the configuration with the devices that it reads.
package struct SourceClaim: Sendable {
    package let component: GatewayConfiguration.Component
    package let claim: DeviceClaim

    /// Whether the source reads an adopted device; one with a format is only read from its
    /// advertisements.
    func includes(_ device: AdoptedDevice) -> Bool {
        claim.includes(device)
            && (device.format == nil || component.use == AdoptedSources.advertisements)
    }

    /// A note if the source names devices and reads none of them, because all are denied.
    var note: String? {
        // A source without devices of its own claims nothing on no transport.
        guard claim.choice == .named([]), !claim.transport.isEmpty else { return nil }
        return "\(component.settings.path) reads nothing: all of its `devices` are in its `deny`"
    }
}

extension Plugins {
    /// Returns the devices that each source of a configuration claims.
    ///
    /// Invalid settings claim nothing; making the source reports their error.
    package func claims(of components: [GatewayConfiguration.Component]) -> [SourceClaim] {
        guard !components.isEmpty else { return [] }
        let factories = makeSourceFactories(busAddress: nil)
        return components.map { component in
            let factory = factories.first { $0.use == component.use }
            let claim = try? factory?.claim(component.settings)
            return SourceClaim(component: component, claim: claim ?? .nothing)
        }
    }
}
