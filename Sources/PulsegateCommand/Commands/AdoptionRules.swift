import GatewayCore
import GatewayHost
import JSON
import Serial

/// What a device cannot be adopted with, and what it cannot be adopted without.
struct AdoptionRules {
    let file: ConfigurationFile
    /// What the sources of the configuration read.
    let claims: [SourceClaim]
    /// The protocols that are built in.
    let protocols: [SerialProtocolFactory]
    /// The ports of this machine; those that cannot be listed cannot be recognised.
    var ports: () -> [SerialPortDescription] = { (try? SerialPorts.list()) ?? [] }

    /// Refuses what no sensor can be.
    func checkDevice(_ identifier: DeviceIdentifier) throws(HostError) {
        let digits = Set(identifier.description.filter { $0 != ":" })
        if !identifier.isPort, digits == ["0"] || digits == ["F"] {
            throw HostError(
                .usage,
                "\(identifier) is no device's address; `pulsegate devices` shows those around")
        }
        if identifier.isPort, !PortNode.mayBePort(identifier.description) {
            throw HostError(
                .usage,
                "\(identifier) is not a serial port; `pulsegate devices` shows those of this machine"
            )
        }
    }

    /// What is to be kept of a request: all that the configuration does not say already.
    ///
    /// The configuration wins, so whatever it says cannot be said differently here.
    func besideConfiguration(
        _ request: AdoptionRequest
    ) throws(HostError) -> AdoptionRequest {
        var request = request
        let identifier = request.identifier.description
        if let binding = file.configuration.people.binding(of: identifier) {
            let path = "devices.\(binding.device)"
            request.person = try open("\(path).person", binding.person, request.person) { $0 }
            request.role = try open("\(path).role", binding.configuredRole, request.role) {
                $0.rawValue
            }
            request.name = try open("\(path).name", binding.name, request.name) { $0 }
        }
        if let spoken = request.spoken, let source = source(reading: identifier) {
            guard Self.component(source.claim.spoken) == Self.component(spoken) else {
                throw refused("sources.\(source.component.name).protocol", says: "what it speaks")
            }
            request.spoken = nil
        }
        return request
    }

    /// A protocol with its settings, however short it was written.
    private static func component(_ spoken: JSONValue?) -> JSONValue? {
        spoken.flatMap { try? ConfigurationNode(path: "", value: $0).component().settings.value }
    }

    /// What is wanted where the configuration says nothing; nil where it says the same.
    private func open<Value: Equatable>(
        _ path: String, _ said: Value?, _ wanted: Value?, text: (Value) -> String
    ) throws(HostError) -> Value? {
        guard let said, let wanted else { return wanted }
        guard said == wanted else { throw refused(path, says: text(said)) }
        return nil
    }

    private func refused(_ path: String, says value: String) -> HostError {
        HostError(
            .failure,
            "the configuration wins: \(path) in \(file.place) says \(value); change it there")
    }

    /// The source of the configuration that reads a device as a stream of bytes.
    private func source(reading identifier: String) -> SourceClaim? {
        claims.first { source in
            source.claim.transport == SerialSource.transport
                && source.claim.named.contains(identifier)
        }
    }

    /// The device with the protocol that it needs: one that was said, or that only this port's device
    /// speaks.
    ///
    /// A port that a source of the configuration reads needs none here.
    func completed(_ device: AdoptedDevice) throws(HostError) -> AdoptedDevice {
        let identifier = device.identifier
        guard identifier.isPort, device.spoken == nil,
            source(reading: identifier.description) == nil
        else { return device }
        guard let spoken = recognised(identifier.description) else {
            throw HostError(
                .usage,
                "what does \(identifier) speak? Add --protocol P, with one of: "
                    + "\(protocols.map(\.use).sorted().joined(separator: ", ")); "
                    + "`pulsegate plugins NAME` tells its settings")
        }
        var device = device
        device.spoken = spoken
        return device
    }

    /// The one protocol that knows the device behind a port and needs no settings.
    private func recognised(_ path: String) -> JSONValue? {
        guard let port = ports().first(where: { $0.path == path || $0.links.contains(path) })
        else { return nil }
        let known = protocols.filter { $0.recognises(port) }
        guard known.count == 1, let use = known.first?.use else { return nil }
        let node = ConfigurationNode(path: "", value: .string(use))
        let isEnough = (try? SerialProtocolFactory.makeProtocol(node, from: known)) != nil
        return isEnough ? node.value : nil
    }
}
