import GatewayCore
import JSON
import Serial

/// The rules of adoption: which devices can be adopted, and with which facts.
struct AdoptionRules {
    let file: ConfigurationFile
    /// The devices that the sources of the configuration read.
    let claims: [SourceClaim]
    /// The protocols that are built in.
    let protocols: [SerialProtocolFactory]
    /// The names of the formats of advertisements that are built in.
    var formats: [String] = []
    /// Lists the ports of this machine, to recognize the devices behind them.
    var ports: () -> [SerialPortDescription] = { (try? SerialPorts.list()) ?? [] }

    /// Rejects an identifier that cannot be a sensor.
    func checkDevice(_ identifier: DeviceIdentifier) throws(ConfigurationError) {
        let digits = Set(identifier.description.filter { $0 != ":" })
        if !identifier.isPort, digits == ["0"] || digits == ["F"] {
            throw ConfigurationError(
                path: AdoptionRequest.deviceKey,
                problem: "\(identifier) is not the address of a device; `pulsegate devices` lists "
                    + "the devices in range")
        }
        if identifier.isPort, !PortNode.mayBePort(identifier.description) {
            throw ConfigurationError(
                path: AdoptionRequest.deviceKey,
                problem: "\(identifier) is not a serial port; `pulsegate devices` lists the ports")
        }
    }

    /// Rejects a protocol that is unknown, or whose settings are invalid.
    func checkProtocol(_ node: ConfigurationNode) throws(ConfigurationError) {
        _ = try SerialProtocolFactory.makeProtocol(
            node.knowing(file.configuration.types), from: protocols)
    }

    /// Whether a protocol is a program that the gateway runs.
    func runsProgram(_ spoken: JSONValue) -> Bool {
        let use = (try? ConfigurationNode(path: "", value: spoken).component())?.use
        return protocols.contains { $0.isProgram && $0.use == use }
    }

    /// The request without the facts that the configuration already sets to the same value.
    ///
    /// - Throws: ``HostError`` when the configuration sets a fact to another value: it wins.
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
                throw rejected("sources.\(source.component.name).protocol", sets: "the protocol")
            }
            request.spoken = nil
        }
        return request
    }

    /// A protocol with its settings, however short it was written.
    private static func component(_ spoken: JSONValue?) -> JSONValue? {
        spoken.flatMap { try? ConfigurationNode(path: "", value: $0).component().settings.value }
    }

    /// The wanted value; nil when the configuration sets the same one.
    private func open<Value: Equatable>(
        _ path: String, _ stated: Value?, _ wanted: Value?, text: (Value) -> String
    ) throws(HostError) -> Value? {
        guard let stated, let wanted else { return wanted }
        guard stated == wanted else { throw rejected(path, sets: text(stated)) }
        return nil
    }

    private func rejected(_ path: String, sets value: String) -> HostError {
        HostError(
            .failure,
            "the configuration wins: \(path) in \(file.place) sets \(value); change it there")
    }

    /// The source of the configuration that reads a device as a stream of bytes.
    private func source(reading identifier: String) -> SourceClaim? {
        claims.first { source in
            source.claim.transport == SerialSource.transport
                && source.claim.named.contains(identifier)
        }
    }

    /// The device with its protocol: the given one, or the only one that recognizes the port.
    ///
    /// A port that a source of the configuration reads needs none here.
    func completed(_ device: AdoptedDevice) throws(ConfigurationError) -> AdoptedDevice {
        let identifier = device.identifier
        guard device.format == nil || !identifier.isPort && device.spoken == nil else {
            throw ConfigurationError(
                path: "format",
                problem: "is for a Bluetooth Low Energy device, but \(identifier) is "
                    + (identifier.isPort ? "a port" : "a classic device with a protocol"))
        }
        guard identifier.isPort, device.spoken == nil,
            source(reading: identifier.description) == nil
        else { return device }
        guard let spoken = recognized(identifier.description) else {
            throw ConfigurationError(
                path: "protocol",
                problem: "is required for \(identifier); "
                    + "known: \(protocols.map(\.use).sorted().joined(separator: ", ")); "
                    + "`pulsegate plugins NAME` shows the settings")
        }
        var device = device
        device.spoken = spoken
        return device
    }

    /// The only protocol that recognizes the device behind a port, if it needs no settings.
    private func recognized(_ path: String) -> JSONValue? {
        guard let port = ports().first(where: { $0.path == path || $0.links.contains(path) })
        else { return nil }
        let known = protocols.filter { $0.recognises(port) }
        guard known.count == 1, let use = known.first?.use else { return nil }
        let node = ConfigurationNode(path: "", value: .string(use))
        let isEnough = (try? SerialProtocolFactory.makeProtocol(node, from: known)) != nil
        return isEnough ? node.value : nil
    }
}
