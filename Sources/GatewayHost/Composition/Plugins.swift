public import Advertisements
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
    /// The formats of Bluetooth LE advertisements.
    public var advertisements: [AdvertisementFormatFactory]
    /// Additional sources; one with the same `use` replaces a standard source.
    public var sources: [SourceFactory]
    /// Additional sources that make devices, and read them with the profiles and protocols.
    public var deviceSources: [DeviceSourceMaker]
    /// The sinks.
    public var sinks: [SinkFactory]
    /// The services.
    public var services: [ServiceFactory]
    /// Quantity types in addition to the standard ones and those that a configuration declares.
    public var types: [QuantityTypeDeclaration]

    /// Makes a factory of sources from the profiles and protocols of all plugins.
    public typealias DeviceSourceMaker =
        @Sendable ([GATTProfileFactory], [SerialProtocolFactory]) -> SourceFactory

    /// Creates a list of plugins.
    public init(
        profiles: [GATTProfileFactory] = [], serialProtocols: [SerialProtocolFactory] = [],
        advertisements: [AdvertisementFormatFactory] = [],
        sources: [SourceFactory] = [], deviceSources: [DeviceSourceMaker] = [],
        sinks: [SinkFactory] = [], services: [ServiceFactory] = [],
        types: [QuantityTypeDeclaration] = []
    ) {
        self.profiles = profiles
        self.serialProtocols = serialProtocols
        self.advertisements = advertisements
        self.sources = sources
        self.deviceSources = deviceSources
        self.sinks = sinks
        self.services = services
        self.types = types
    }

    /// Makes the registry of the standard types and those of the plugins.
    ///
    /// - Throws: ``HostError`` if a type is invalid, or declared differently by two plugins.
    package func makeQuantityTypes() throws(HostError) -> QuantityTypes {
        var all = QuantityTypes.standard
        for declaration in types {
            do {
                all = try all.adding([try declaration.makeType()])
            } catch {
                throw HostError(
                    .failure,
                    "type `\(declaration.name)` of the plugin \(declaration.module): \(error)")
            }
        }
        return all
    }

    /// Makes the factories of all sources.
    ///
    /// - Parameter busAddress: The D-Bus address for bluetoothd; nil for the system bus.
    package func makeSourceFactories(busAddress: String?) -> [SourceFactory] {
        sources + deviceSources.map { $0(profiles, serialProtocols) } + [
            BluetoothSource.factory(profiles: profiles, busAddress: busAddress),
            AdvertisementSource.factory(formats: advertisements, busAddress: busAddress),
            SerialSource.factory(protocols: serialProtocols),
            SerialSource.rfcommFactory(protocols: serialProtocols),
        ]
    }
}
