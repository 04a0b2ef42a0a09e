import GatewayCore
import Serial

/// What a device cannot be adopted with, and what it cannot be adopted without.
struct AdoptionRules {
    let file: ConfigurationFile
    /// The protocols that are built in.
    let protocols: [SerialProtocolFactory]
    /// The ports of this machine; those that cannot be listed cannot be recognised.
    var ports: () -> [SerialPortDescription] = { (try? SerialPorts.list()) ?? [] }

    /// The configuration wins, so whatever it says cannot be said differently here.
    func checkConfiguration(_ request: AdoptionRequest) throws(CommandFailure) {
        let identifier = request.identifier.description
        if let binding = file.configuration.people.binding(of: identifier) {
            let said: [(key: String, old: String?, isWanted: Bool)] = [
                ("person", binding.person, request.person != nil),
                ("role", binding.statedRole?.rawValue, request.role != nil),
                ("name", binding.name, request.name != nil),
            ]
            for case (let key, let old?, true) in said {
                throw refused("devices.\(binding.device).\(key)", says: old)
            }
        }
        if request.spoken != nil, let source = source(reading: identifier) {
            throw refused("sources.\(source).protocol", says: "what it speaks")
        }
    }

    private func refused(_ path: String, says value: String) -> CommandFailure {
        CommandFailure(
            .failure,
            "the configuration wins: \(path) in \(file.place) says \(value); change it there")
    }

    /// The source of the configuration that reads a device as a stream of bytes.
    private func source(reading identifier: String) -> String? {
        file.configuration.sources?.first { source in
            source.use != AdoptedSources.bluetooth && SourceScope(source).named.contains(identifier)
        }?.name
    }

    /// The device with the protocol that it needs: one that was said, or that only this port's device
    /// speaks.
    ///
    /// A port that a source of the configuration reads needs none here.
    func completed(_ device: AdoptedDevice) throws(CommandFailure) -> AdoptedDevice {
        let identifier = device.identifier
        guard identifier.isPort, device.spoken == nil,
            source(reading: identifier.description) == nil
        else { return device }
        guard let spoken = recognised(identifier.description) else {
            throw CommandFailure(
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
    private func recognised(_ path: String) -> ConfigurationValue? {
        guard let port = ports().first(where: { $0.path == path || $0.links.contains(path) })
        else { return nil }
        let known = protocols.filter { $0.recognises(port) }
        guard known.count == 1, let use = known.first?.use else { return nil }
        let node = ConfigurationNode(path: "", value: .string(use))
        let isEnough = (try? SerialProtocolFactory.makeProtocol(node, from: known)) != nil
        return isEnough ? node.value : nil
    }
}
