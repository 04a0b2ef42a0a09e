public import HealthModel
public import Platform

/// The context for creating a source or sink.
public struct ComponentContext: Sendable {
    /// The configured name: `foot`, `store`.
    public let name: String
    /// The clock.
    public let clock: any GatewayClock
    /// The log with the component's name.
    public let log: Logger
    /// The data directory, the base of relative paths.
    public let dataDirectory: String
    /// The durability of a stored batch, since the journal discards it then.
    public let durability: Durability
    /// The identifiers of the adopted devices: addresses and paths of ports.
    public let adopted: [String]
    /// The version of this gateway, to report to servers.
    public let version: String
    /// The known types.
    ///
    /// After a reload with other types, every sink is recreated, and every source whose settings
    /// name a changed type.
    public let types: QuantityTypes
    /// The folder of the stored secrets; nil for that of the data directory.
    package var secretsFolder: String?
    /// The names of the people who may wear a device; nil when they are not known.
    package var people: [String]?
    /// The shared standard output.
    public var standardOutput = LineOutput()
    /// The poller of all descriptors; in a gateway the idle threads of the plugins wait for them.
    public var poller = DescriptorPoller()
    /// The marks of the calls of adapters.
    package var marks: CallMarks?
    /// The probes of the loops that must make progress; nil outside a gateway.
    package var probes: ProgressProbes?
    /// The log of problems of Bluetooth that several components have; nil outside a gateway.
    package var radioProblems: RadioProblems?
    /// The devices that must not be read; empty until the gateway has found a crash.
    public var quarantine = Quarantine()
    /// The environment variables for ``Secret``.
    package let environment: [String: String]

    /// Makes the mark of the adapter of a device, for its ``Readings/AdapterSession``.
    ///
    /// With it an adapter that does not return, or that crashes the gateway, is reported with its device.
    public func mark(for device: String) -> CallMark? {
        marks?.mark(source: name, device: device)
    }

    /// Lets the watchdog of the service manager ask the event loop of a source for answers until the result
    /// is released.
    ///
    /// A loop that does not answer is reported as a hang. One that waits for its device, or for the inlet,
    /// must answer at once.
    ///
    /// - Parameter ask: Asks the loop to call a function between two events.
    /// - Returns: Nil outside a gateway.
    public func probe(
        ask: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    ) -> ProgressProbe? {
        probes?.add(.source(name), ask: ask)
    }

    /// Makes a context.
    ///
    /// `log` gets the component's name. `environment` has the variables for ``Secret``.
    public init(
        name: String, clock: any GatewayClock, log: Logger, dataDirectory: String,
        durability: Durability = .crash, adopted: [String] = [], version: String = "0",
        environment: [String: String] = [:], types: QuantityTypes = .standard
    ) {
        self.types = types
        self.name = name
        self.adopted = adopted
        self.version = version
        self.environment = environment
        self.durability = durability
        self.clock = clock
        self.log = log.named(name)
        self.dataDirectory = dataDirectory
    }

    /// Resolves a path of the configuration relative to the data directory.
    public func resolve(_ path: String) -> String {
        DataFiles.resolve(path, in: dataDirectory)
    }
}

/// A factory of sources for one value of the key `use`.
public struct SourceFactory: Sendable {
    /// The value of `use`: `serial`.
    public let use: String
    /// The description for the command `plugins`.
    public let about: PluginDescription?
    /// Reads the devices that the source will claim from its settings.
    ///
    /// Other settings are not validated.
    public let claim: @Sendable (ConfigurationNode) throws(ConfigurationError) -> DeviceClaim
    /// Whether its sources may report any type, and not only those that their settings name.
    package let reportsAnyType: Bool
    /// Validates the settings and makes a source.
    ///
    /// It must not open anything yet.
    public let make:
        @Sendable (ConfigurationNode, ComponentContext) throws(ConfigurationError) -> any Source

    /// Makes a factory; by default its sources claim no device.
    public init(
        use: String, about: PluginDescription? = nil,
        claim:
            @escaping @Sendable (ConfigurationNode) throws(ConfigurationError) -> DeviceClaim = {
                _ in .nothing
            },
        make:
            @escaping @Sendable (ConfigurationNode, ComponentContext) throws(ConfigurationError)
            -> any Source
    ) {
        self.init(use: use, about: about, reportsAnyType: false, claim: claim, make: make)
    }

    /// Makes a factory whose sources are made anew when any type is declared differently.
    package init(
        use: String, about: PluginDescription? = nil, reportsAnyType: Bool,
        claim:
            @escaping @Sendable (ConfigurationNode) throws(ConfigurationError) -> DeviceClaim = {
                _ in .nothing
            },
        make:
            @escaping @Sendable (ConfigurationNode, ComponentContext) throws(ConfigurationError)
            -> any Source
    ) {
        self.use = use
        self.about = about
        self.reportsAnyType = reportsAnyType
        self.claim = claim
        self.make = make
    }
}

/// A factory of sinks for one value of the key `use`.
public struct SinkFactory: Sendable {
    /// The value of `use`: `sqlite`.
    public let use: String
    /// The description for the command `plugins`.
    public let about: PluginDescription?
    /// The keys of its own settings, in addition to those of every sink.
    public let keys: [String]
    /// Whether the sink gives the records to a program that its settings name, to which
    /// `pulsegate access revoke` denies types.
    public let isProgram: Bool
    /// Whether the sink writes to ``ComponentContext/standardOutput``, where a terminal then shows no live
    /// values.
    public let usesStandardOutput: Bool
    /// Validates the settings and makes a sink.
    ///
    /// It must not open anything yet.
    public let make:
        @Sendable (ConfigurationObject, ComponentContext) throws(ConfigurationError) -> any Sink

    /// Makes a factory.
    public init(
        use: String, keys: [String], about: PluginDescription? = nil, isProgram: Bool = false,
        usesStandardOutput: Bool = false,
        make:
            @escaping @Sendable (ConfigurationObject, ComponentContext) throws(ConfigurationError)
            -> any Sink
    ) {
        self.use = use
        self.about = about
        self.keys = keys
        self.isProgram = isProgram
        self.usesStandardOutput = usesStandardOutput
        self.make = make
    }
}
