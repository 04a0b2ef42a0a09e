import Advertisements
import Bluetooth
import GatewayCore
import HealthModel
import JSON
import Platform
import Serial

/// A plugin of any kind: its name, its description, and how it is made of its settings.
struct DescribedPlugin {
    /// The kinds of plugins that have settings.
    enum Kind: String {
        case profile = "GATT profile"
        case serialProtocol = "serial protocol"
        case advertisementFormat = "advertisement format"
        case source
        case sink
        case service
    }

    let kind: Kind
    let use: String
    let about: PluginDescription?
    /// Makes the plugin from its settings, and drops it.
    let make: (ConfigurationNode) throws(ConfigurationError) -> Void

    /// Its kind and its name, for findings.
    var name: String { "\(kind.rawValue) `\(use)`" }
    /// The keys of every plugin of its kind, which its own description does not have.
    var commonKeys: [String] { kind == .sink ? SinkOptions.keys : ["use"] }
}

/// The plugins of a command, as far as a conformance suite needs them.
struct PluginSet {
    let profiles: [GATTProfileFactory]
    let serialProtocols: [SerialProtocolFactory]
    let advertisements: [AdvertisementFormatFactory]
    let sources: [SourceFactory]
    /// The sources of every gateway, which samples may use.
    let standardSources: [SourceFactory]
    let sinks: [SinkFactory]
    let services: [ServiceFactory]
    let types: QuantityTypes

    init(
        profiles: [GATTProfileFactory], serialProtocols: [SerialProtocolFactory],
        advertisements: [AdvertisementFormatFactory],
        sources: [SourceFactory], sinks: [SinkFactory], services: [ServiceFactory],
        types: QuantityTypes
    ) {
        self.profiles = profiles
        self.serialProtocols = serialProtocols
        self.advertisements = advertisements
        self.sources = sources
        standardSources = [
            BluetoothSource.factory(profiles: profiles, busAddress: nil),
            AdvertisementSource.factory(formats: advertisements, busAddress: nil),
            SerialSource.factory(protocols: serialProtocols),
            SerialSource.rfcommFactory(protocols: serialProtocols),
        ]
        self.sinks = sinks
        self.services = services
        self.types = types
    }

    /// The given plugins.
    var described: [DescribedPlugin] {
        profiles.map { factory in
            DescribedPlugin(kind: .profile, use: factory.use, about: factory.about) {
                node throws(ConfigurationError) in _ = try factory.make(node)
            }
        }
            + serialProtocols.map { factory in
                DescribedPlugin(kind: .serialProtocol, use: factory.use, about: factory.about) {
                    node throws(ConfigurationError) in _ = try factory.make(node)
                }
            }
            + advertisements.map { factory in
                DescribedPlugin(kind: .advertisementFormat, use: factory.use, about: factory.about)
                { node throws(ConfigurationError) in _ = try factory.make(node, context) }
            }
            + sources.map { factory in
                DescribedPlugin(kind: .source, use: factory.use, about: factory.about) {
                    node throws(ConfigurationError) in try make(factory, node)
                }
            }
            + sinks.map { factory in
                DescribedPlugin(kind: .sink, use: factory.use, about: factory.about) {
                    node throws(ConfigurationError) in try make(factory, node)
                }
            }
            + services.map { factory in
                DescribedPlugin(kind: .service, use: factory.use, about: factory.about) {
                    node throws(ConfigurationError) in try make(factory, node)
                }
            }
    }

    /// Makes a source as a gateway does, and drops it.
    func make(
        _ factory: SourceFactory, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        _ = try factory.make(node, context)
        _ = try factory.claim(node)
    }

    /// Makes a sink as a gateway does, and drops it.
    func make(
        _ factory: SinkFactory, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        let settings = try node.object(keys: SinkOptions.keys + factory.keys)
        _ = try factory.make(settings, context)
        _ = try SinkOptions(settings)
    }

    /// Makes a service as a gateway does, and drops it.
    func make(
        _ factory: ServiceFactory, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        _ = try factory.make(node.object(keys: ["use"] + factory.keys), context)
    }

    private var context: ComponentContext {
        ComponentContext(
            name: "conformance", clock: SystemClock(),
            log: Logger(component: "conformance") { _ in },
            dataDirectory: "/nonexistent", types: types)
    }
}
