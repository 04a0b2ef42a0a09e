public import GatewayCore
public import HealthModel
public import Readings

/// The protocol of a device on a byte stream: its line settings, identity and adapter.
///
/// It is independent of ports; the same protocol can run on any byte stream.
public protocol SerialProtocol: Sendable {
    /// The line settings that the device requires.
    var lineSettings: LineSettings { get }

    /// The properties of the device known in advance: manufacturer and model, where certain.
    var device: Device { get }

    /// The time without data after which the device is stale; `nil` if it may be silent.
    var silenceLimitSeconds: Double? { get }

    /// Makes the adapter for one connection.
    func makeAdapter() -> any DeviceAdapter
}

extension SerialProtocol {
    /// No limit: most devices are silent without movement.
    public var silenceLimitSeconds: Double? { nil }
}

/// Makes serial protocols for one name in the configuration's `protocol`.
public struct SerialProtocolFactory: Sendable {
    /// The name in the configuration: `hxm`, `lines`.
    public let use: String
    /// The description for the command `plugins`.
    public let about: PluginDescription?
    /// Whether its settings name a program that the gateway runs, which only the gateway's user may do.
    public let isProgram: Bool
    /// Validates the settings, including `use`, and makes a protocol.
    public let make: @Sendable (ConfigurationNode) throws(ConfigurationError) -> any SerialProtocol
    /// Whether the USB vendor and product of a port identify a device with this protocol.
    public let recognises: @Sendable (SerialPortDescription) -> Bool

    /// Makes a factory for a name.
    ///
    /// Most devices cannot be recognised: the system sees a generic USB adapter.
    public init(
        use: String, about: PluginDescription? = nil, isProgram: Bool = false,
        recognises: @escaping @Sendable (SerialPortDescription) -> Bool = { _ in false },
        make:
            @escaping @Sendable (ConfigurationNode) throws(ConfigurationError)
            -> any SerialProtocol
    ) {
        self.use = use
        self.about = about
        self.isProgram = isProgram
        self.recognises = recognises
        self.make = make
    }
}
