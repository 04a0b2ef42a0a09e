public import Bluetooth
public import GatewayCore
public import HealthModel
public import Serial

/// The plugins that are built into a `pulsegate` command.
public struct Plugins: Sendable {
    /// The GATT profiles of Bluetooth LE devices.
    public var profiles: [GATTProfileFactory]
    /// The protocols of serial devices.
    public var serialProtocols: [SerialProtocolFactory]
    /// Additional sources; one with the same `use` replaces a standard source.
    public var sources: [SourceFactory]
    /// The sinks.
    public var sinks: [SinkFactory]
    /// Additional quantity types.
    public var types: [TypeMaker]

    /// Makes a quantity type with `QuantityType(custom:…)`, which throws if it is invalid.
    public typealias TypeMaker = @Sendable () throws(QuantityTypeError) -> QuantityType

    /// Creates a list of plugins.
    public init(
        profiles: [GATTProfileFactory] = [], serialProtocols: [SerialProtocolFactory] = [],
        sources: [SourceFactory] = [], sinks: [SinkFactory] = [],
        types: [TypeMaker] = []
    ) {
        self.profiles = profiles
        self.serialProtocols = serialProtocols
        self.sources = sources
        self.sinks = sinks
        self.types = types
    }

    /// Makes the registry of the standard types and those of the plugins.
    ///
    /// - Throws: ``HostError`` if a type is invalid, or declared differently by two plugins.
    package func makeQuantityTypes() throws(HostError) -> QuantityTypes {
        do {
            var custom: [QuantityType] = []
            for make in types { custom.append(try make()) }
            return try QuantityTypes(custom: custom)
        } catch {
            throw HostError(.failure, "invalid quantity type in a plugin: \(error)")
        }
    }

    /// Makes the factories of all sources.
    ///
    /// - Parameter busAddress: The D-Bus address for bluetoothd; nil for the system bus.
    package func makeSourceFactories(busAddress: String?) -> [SourceFactory] {
        sources + [
            BluetoothSource.factory(profiles: profiles, busAddress: busAddress),
            SerialSource.factory(protocols: serialProtocols),
            SerialSource.rfcommFactory(protocols: serialProtocols),
        ]
    }
}
