public import GatewayCore
import JSON
import Platform

extension SerialSource {
    /// Makes the factory of `serial` sources for the given protocols.
    ///
    /// The settings are `{ use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: … }`; instead of
    /// `path` a port can be selected by ``SerialPortIdentity``. All sources of one factory share one
    /// queue for opening ports.
    public static func factory(protocols: [SerialProtocolFactory]) -> SourceFactory {
        let executor = QueueExecutor(label: "serial ports")
        return SourceFactory(use: "serial", about: about, claim: portClaim) {
            node, context throws(ConfigurationError) in
            let settings = try node.object(keys: portKeys)
            let selector = try PortSelector(settings.require("port"))
            let setting = try settings.require("protocol")
            let spoken = try SerialProtocolFactory.makeProtocol(setting, from: protocols)
            let port = SerialPort(selector: selector, settings: spoken.lineSettings)
            return SerialSource(
                identifier: port.name, serialProtocol: spoken, setting: setting.value,
                context: context
            ) {
                StreamLink(
                    port, clock: context.clock, executor: executor, poller: context.poller)
            }
        }
    }

    /// Makes the factory of `rfcomm` sources, for the same protocols over Bluetooth Classic.
    ///
    /// The settings are `{ use: "rfcomm", address: "00:07:80:12:34:56", channel: 1, protocol: … }`;
    /// the default channel is 1. All sources of one factory share one queue.
    public static func rfcommFactory(protocols: [SerialProtocolFactory]) -> SourceFactory {
        let executor = QueueExecutor(label: "Bluetooth serial ports")
        return SourceFactory(use: "rfcomm", about: aboutRFCOMM, claim: endpointClaim) {
            node, context throws(ConfigurationError) in
            let settings = try node.object(keys: endpointKeys)
            let port = RFCOMMPort(endpoint: try RFCOMMEndpoint(settings))
            let setting = try settings.require("protocol")
            try refuseBaudRate(setting)
            let spoken = try SerialProtocolFactory.makeProtocol(setting, from: protocols)
            return SerialSource(
                identifier: port.name, serialProtocol: spoken, setting: setting.value,
                context: context
            ) {
                StreamLink(
                    port, clock: context.clock, executor: executor, poller: context.poller)
            }
        }
    }

    /// Refuses a setting of a protocol that means nothing without a line.
    private static func refuseBaudRate(_ setting: ConfigurationNode) throws(ConfigurationError) {
        guard case .object = setting.value,
            let baud = try setting.entries().first(where: { $0.key == "baud" })
        else { return }
        throw baud.node.error(
            "a serial port over Bluetooth has no baud rate; remove `baud`")
    }

    private static let portKeys = ["use", "port", "protocol"]
    private static let endpointKeys = ["use", "address", "channel", "protocol"]

    private static func portClaim(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> DeviceClaim {
        let settings = try node.object(keys: portKeys)
        let port = try settings.require("port")
        let selector = try PortSelector(port)
        let phrase: String? =
            if case .identity = selector { "the port with \(port.value.json)" } else { nil }
        return claim(to: selector.deviceIdentifier, settings, phrase: phrase)
    }

    private static func endpointClaim(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> DeviceClaim {
        let settings = try node.object(keys: endpointKeys)
        return claim(to: try RFCOMMEndpoint(settings).address.description, settings)
    }

    /// A claim for exclusive use: two readers of a port would each receive a part of the bytes.
    private static func claim(
        to identifier: String, _ settings: ConfigurationObject, phrase: String? = nil
    ) -> DeviceClaim {
        DeviceClaim(
            .named([identifier]), over: transport, spoken: settings["protocol"]?.value,
            phrase: phrase)
    }
}
