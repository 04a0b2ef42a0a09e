public import Bluetooth
public import GatewayCore
public import HealthModel
public import Serial

/// What is built into a `pulsegate`: the composition root makes factories of it.
public struct Plugins: Sendable {
    /// What Bluetooth devices may speak.
    public var profiles: [GATTProfileFactory]
    /// What serial devices may speak.
    public var serialProtocols: [SerialProtocolFactory]
    /// Sources beside those that every build has; one with the same word takes its place.
    public var sources: [SourceFactory]
    /// Where samples may go.
    public var sinks: [SinkFactory]
    /// What may be measured, beside the standard types and those that a configuration declares.
    public var types: [QuantityTypeDeclaration]

    /// Makes a list of plugins.
    public init(
        profiles: [GATTProfileFactory] = [], serialProtocols: [SerialProtocolFactory] = [],
        sources: [SourceFactory] = [], sinks: [SinkFactory] = [],
        types: [QuantityTypeDeclaration] = []
    ) {
        self.profiles = profiles
        self.serialProtocols = serialProtocols
        self.sources = sources
        self.sinks = sinks
        self.types = types
    }

    /// The standard types and those of the plugins.
    ///
    /// - Throws: What two plugins do not agree on; then this build is of no use.
    package func makeQuantityTypes() throws(HostError) -> QuantityTypes {
        var custom: [QuantityType] = []
        for declaration in types {
            do {
                custom.append(try declaration.makeType())
            } catch {
                throw HostError(.failure, "built-in type `\(declaration.name)`: \(error)")
            }
        }
        do {
            return try QuantityTypes(custom: custom)
        } catch {
            throw HostError(.failure, "built-in types: \(error)")
        }
    }

    /// Makes the factories for every word that a source's `use` may have.
    ///
    /// bluetoothd is looked for on the bus with this address, or on the system's.
    package func makeSourceFactories(busAddress: String?) -> [SourceFactory] {
        sources + [
            BluetoothSource.factory(profiles: profiles, busAddress: busAddress),
            SerialSource.factory(protocols: serialProtocols),
            SerialSource.rfcommFactory(protocols: serialProtocols),
        ]
    }
}
