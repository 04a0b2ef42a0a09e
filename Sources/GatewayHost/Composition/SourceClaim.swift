package import GatewayCore

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
