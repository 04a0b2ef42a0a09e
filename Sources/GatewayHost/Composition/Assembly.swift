package import GatewayCore
import JSON
package import Platform
import SQLiteStore

/// The composition root: makes the sources, sinks and services that a configuration names.
package struct Assembly {
    package let plugins: Plugins
    package let dataDirectory: DataDirectory
    /// The environment variables, for the addresses of system services.
    package let environment: Environment
    package let clock: any GatewayClock
    package let log: Logger
    /// The adopted devices, for sources that connect to all of them.
    package var adopted: [String] = []
    /// Shared by all sinks of the process: a sink from before a reload may still be writing.
    package var standardOutput = LineOutput()
    private let poller: DescriptorPoller
    /// The marks of the calls of adapters.
    private let marks: CallMarks?
    /// The probes of the loops of sources.
    private let probes: ProgressProbes?
    private let quarantine: Quarantine
    private let radioProblems: RadioProblems?

    /// Creates an assembly.
    package init(
        plugins: Plugins, dataDirectory: DataDirectory, environment: Environment,
        clock: any GatewayClock,
        log: Logger, adopted: [String] = [], standardOutput: LineOutput = LineOutput(),
        poller: DescriptorPoller = DescriptorPoller(), marks: CallMarks? = nil,
        probes: ProgressProbes? = nil, quarantine: Quarantine = Quarantine(),
        radioProblems: RadioProblems? = nil
    ) {
        self.radioProblems = radioProblems
        self.quarantine = quarantine
        self.marks = marks
        self.probes = probes
        self.plugins = plugins
        self.dataDirectory = dataDirectory
        self.environment = environment
        self.clock = clock
        self.log = log
        self.adopted = adopted
        self.standardOutput = standardOutput
        self.poller = poller
    }

    /// Makes the sources of the configuration, without opening them.
    package func sources(
        _ configuration: GatewayConfiguration
    ) throws(ConfigurationError) -> [Gateway.NamedSource] {
        let factories = plugins.makeSourceFactories(
            busAddress: environment["DBUS_SYSTEM_BUS_ADDRESS"])
        var sources: [Gateway.NamedSource] = []
        var claims = DeviceClaims()
        for component in configuration.sources ?? [] {
            guard let factory = factories.first(where: { $0.use == component.use }) else {
                throw component.unknownPlugin(known: factories.map(\.use))
            }
            let node = component.settings.knowing(configuration.types)
            let source = try factory.make(node, context(component.name, configuration))
            let claim = try factory.claim(node)
            try claims.add(claim.resolved(adopted: adopted), of: node)
            let settings = ComponentSettings(
                node, adopted: claim.findsAdopted ? adopted : [],
                namesItsTypes: !factory.reportsAnyType
            ).reading(secretsIn: secretsFolder)
            sources.append(
                Gateway.NamedSource(name: component.name, source: source, settings: settings))
        }
        return sources
    }

    /// Makes the sinks of the configuration, without opening them; the default is the store.
    package func sinks(
        _ configuration: GatewayConfiguration
    ) throws(ConfigurationError) -> [Gateway.NamedSink] {
        var sinks: [Gateway.NamedSink] = []
        for component in configuration.sinks ?? Self.defaultSinks {
            guard let factory = plugins.sinks.first(where: { $0.use == component.use }) else {
                throw component.unknownPlugin(known: plugins.sinks.map(\.use))
            }
            let node = component.settings.knowing(configuration.types)
            let object = try node.object(keys: SinkOptions.keys + factory.keys)
            let sink = try factory.make(object, context(component.name, configuration))
            var named = Gateway.NamedSink(
                name: component.name, sink: sink, options: try SinkOptions(object),
                settings: ComponentSettings(node).reading(secretsIn: secretsFolder))
            named.isProgram = factory.isProgram
            sinks.append(named)
        }
        guard !sinks.isEmpty else {
            throw ConfigurationError(path: "sinks", problem: "must name at least one sink")
        }
        return sinks
    }

    /// Makes the services of the configuration, without opening them.
    package func services(
        _ configuration: GatewayConfiguration
    ) throws(ConfigurationError) -> [NamedService] {
        var services: [NamedService] = []
        for component in configuration.services {
            guard let factory = plugins.services.first(where: { $0.use == component.use }) else {
                throw component.unknownPlugin(known: plugins.services.map(\.use))
            }
            let node = component.settings.knowing(configuration.types)
            let object = try node.object(keys: ["use"] + factory.keys)
            let service = try factory.make(object, context(component.name, configuration))
            services.append(
                NamedService(
                    name: component.name, service: service,
                    settings: ComponentSettings(node).reading(secretsIn: secretsFolder)))
        }
        return services
    }

    /// The store in the data directory.
    package static let defaultSinks = [
        GatewayConfiguration.Component(name: "store", use: StoreSettings.use, section: "sinks")
    ]

    private var secretsFolder: String { dataDirectory.secretsFolder }

    private func context(
        _ name: String, _ configuration: GatewayConfiguration
    ) -> ComponentContext {
        var context = ComponentContext(
            name: name, clock: clock, log: log, dataDirectory: dataDirectory.path,
            durability: configuration.durability, adopted: adopted, version: Version.current,
            environment: environment.forPrograms, types: configuration.types)
        context.secretsFolder = dataDirectory.secretsFolder
        context.people = configuration.people.names
        context.standardOutput = standardOutput
        context.poller = poller
        context.marks = marks
        context.probes = probes
        context.quarantine = quarantine
        context.radioProblems = radioProblems
        return context
    }
}

extension GatewayConfiguration.Component {
    /// The error of a component whose plugin is not built in.
    func unknownPlugin(known: [String]) -> ConfigurationError {
        ConfigurationError(
            path: "\(settings.path).use",
            problem: "unknown plugin `\(use)`; " + Suggestion.message(unknown: use, known: known))
    }
}
