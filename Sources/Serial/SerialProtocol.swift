public import GatewayCore
public import HealthModel

/// What a device on a byte stream speaks: how its line is set, who it is, what understands it.
///
/// It knows nothing of ports; the same protocol may run on any byte stream.
public protocol SerialProtocol: Sendable {
    /// How the line must be set for this device.
    var lineSettings: LineSettings { get }

    /// What is known of the device without asking it: manufacturer and model, where that is certain.
    var device: Device { get }

    /// After how many seconds without a byte the device counts as stale; `nil` when it may be silent.
    var silenceLimitSeconds: Double? { get }

    /// Makes the adapter for one connection.
    func makeAdapter() -> any DeviceAdapter
}

extension SerialProtocol {
    /// Most devices may be silent for as long as nobody moves.
    public var silenceLimitSeconds: Double? { nil }
}

/// Makes serial protocols for one word of the configuration's `protocol`.
public struct SerialProtocolFactory: Sendable {
    /// The word in the configuration: `hxm`, `lines`.
    public let use: String
    /// What the command `plugins` tells about it.
    public let about: PluginDescription?
    /// Reads the settings strictly, `use` among them, and makes a protocol.
    public let make: @Sendable (ConfigurationNode) throws(ConfigurationError) -> any SerialProtocol
    /// Whether a port is surely one of a device that speaks this: by its USB vendor and product.
    public let recognises: @Sendable (SerialPortDescription) -> Bool

    /// Makes a factory for a word.
    ///
    /// Most devices cannot be recognised: what the system sees is the USB adapter of many.
    public init(
        use: String, about: PluginDescription? = nil,
        recognises: @escaping @Sendable (SerialPortDescription) -> Bool = { _ in false },
        make:
            @escaping @Sendable (ConfigurationNode) throws(ConfigurationError)
            -> any SerialProtocol
    ) {
        self.use = use
        self.about = about
        self.recognises = recognises
        self.make = make
    }
}
