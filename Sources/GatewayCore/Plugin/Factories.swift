public import HealthModel
public import Platform

/// What every source and sink is given when it is made.
public struct ComponentContext: Sendable {
    /// The name it has in the configuration: `foot`, `store`.
    public let name: String
    /// The clock.
    public let clock: any GatewayClock
    /// The log, already under the component's name.
    public let log: Logger
    /// The data directory, which relative paths start from.
    public let dataDirectory: String
    /// What a stored batch must survive: a sink that keeps less would lose what the journal let go.
    public let durability: Durability
    /// The devices that are the user's own: addresses and paths of ports, in upper and lower case as
    /// they were written.
    public let adopted: [String]
    /// The version of this gateway, which it tells to whom it talks.
    public let version: String
    /// The types that there are, when it is made.
    ///
    /// After a reload with other types every sink is made anew, and every source whose settings name one of
    /// those that have changed.
    public let types: QuantityTypes
    /// Standard output, which all that write lines to it share.
    package var standardOutput = LineOutput()
    /// What a ``Secret`` may be in; nobody else looks at it.
    let environment: [String: String]

    /// Makes a context.
    ///
    /// `log` is renamed after the component. `environment` has the variables that a ``Secret`` may be in.
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

    /// A path of the configuration: as it is when absolute, else inside the data directory.
    public func resolve(_ path: String) -> String {
        DataFiles.resolve(path, in: dataDirectory)
    }
}

/// Makes sources for one word of the configuration's `use`.
public struct SourceFactory: Sendable {
    /// The word in the configuration: `serial`.
    public let use: String
    /// What the command `plugins` tells about it.
    public let about: PluginDescription?
    /// Reads from the settings which devices the source will have to itself.
    ///
    /// It looks at nothing else: a source of settings that are otherwise wrong may have a claim.
    public let claim: @Sendable (ConfigurationNode) throws(ConfigurationError) -> DeviceClaim
    /// Reads the settings strictly and makes a source.
    ///
    /// It opens nothing yet.
    public let make:
        @Sendable (ConfigurationNode, ComponentContext) throws(ConfigurationError) -> any Source

    /// Makes a factory for a word; its sources claim nothing unless `claim` says otherwise.
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
        self.use = use
        self.about = about
        self.claim = claim
        self.make = make
    }
}

/// Makes sinks for one word of the configuration's `use`.
public struct SinkFactory: Sendable {
    /// The word in the configuration: `sqlite`.
    public let use: String
    /// What the command `plugins` tells about it.
    public let about: PluginDescription?
    /// The settings of its own that it knows, beside `use` and those that every sink has.
    public let keys: [String]
    /// Reads the settings strictly and makes a sink.
    ///
    /// It opens nothing yet.
    public let make:
        @Sendable (ConfigurationObject, ComponentContext) throws(ConfigurationError) -> any Sink

    /// Makes a factory for a word.
    public init(
        use: String, keys: [String], about: PluginDescription? = nil,
        make:
            @escaping @Sendable (ConfigurationObject, ComponentContext) throws(ConfigurationError)
            -> any Sink
    ) {
        self.use = use
        self.about = about
        self.keys = keys
        self.make = make
    }
}
