import GatewayCore

/// What a device cannot be adopted with.
struct AdoptionRules {
    let file: ConfigurationFile
    /// The protocols that are built in.
    let protocols: [String]

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

    /// Nobody knows what a port speaks unless somebody says it.
    func check(_ device: AdoptedDevice) throws(CommandFailure) {
        let identifier = device.identifier
        guard identifier.isPort, device.spoken == nil,
            source(reading: identifier.description) == nil
        else { return }
        throw CommandFailure(
            .usage,
            "what does \(identifier) speak? Add --protocol P, with one of: "
                + "\(protocols.sorted().joined(separator: ", ")); "
                + "`pulsegate plugins NAME` tells its settings")
    }
}
