/// A part that shows or offers live what the gateway reads, such as a display, a radio or a web server.
///
/// It gets no stored records and may miss some: a ``Sink`` gets every record.
public protocol Service: Sendable {
    /// Runs until the task is cancelled.
    ///
    /// - Throws: Any error; the service is then run again after a delay, and the error is shown until it
    ///   works.
    func run(_ gateway: ServiceAccess) async throws
}

/// What a service gets from the running gateway.
public struct ServiceAccess: Sendable {
    /// The records that are published from now on.
    public let live: LiveLane
    /// The requests of clients, for a service that is a transport of them.
    public let requests: any GatewayRequests
    /// Shows a problem in the status, without any health value; nil when it is over.
    public let report: @Sendable (String?) -> Void
    /// Shows in the status where the service is reached, such as the address of a web page; nil for nowhere.
    public let announce: @Sendable (String?) -> Void

    /// Makes the access of a service.
    public init(
        live: LiveLane, requests: any GatewayRequests = NoGatewayRequests(),
        report: @escaping @Sendable (String?) -> Void = { _ in },
        announce: @escaping @Sendable (String?) -> Void = { _ in }
    ) {
        self.live = live
        self.requests = requests
        self.report = report
        self.announce = announce
    }
}

/// A factory of services for one value of the key `use`.
public struct ServiceFactory: Sendable {
    /// The value of `use`.
    public let use: String
    /// The description for the command `plugins`.
    public let about: PluginDescription?
    /// The keys of its settings, beside `use`.
    public let keys: [String]
    /// Whether the service writes to ``ComponentContext/standardOutput``, where a terminal then shows no live
    /// values.
    public let usesStandardOutput: Bool
    /// Validates the settings and makes a service.
    ///
    /// It must not open anything yet.
    public let make:
        @Sendable (ConfigurationObject, ComponentContext) throws(ConfigurationError) -> any Service

    /// Makes a factory.
    public init(
        use: String, keys: [String], about: PluginDescription? = nil,
        usesStandardOutput: Bool = false,
        make:
            @escaping @Sendable (ConfigurationObject, ComponentContext) throws(ConfigurationError)
            -> any Service
    ) {
        self.use = use
        self.about = about
        self.keys = keys
        self.usesStandardOutput = usesStandardOutput
        self.make = make
    }
}
