import GatewayTesting
import Lines
import LiveFeed
import Metrics
import SQLiteSink
import StoreRequests
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

/// A gateway with a store and two people, whose service a test uses.
enum AccessGateway {
    /// The people of the gateway: names that no message to another user may have.
    static let people = ["annaliese", "bartholomew"]

    private static let configuration = """
        { sources: { foot: { use: "serial", port: { path: "/dev/tty-test" },
            protocol: { use: "lines", preset: "steps" } } },
          sinks: { store: "sqlite" }, people: { annaliese: {}, bartholomew: {} } }
        """
    private static let plugins = Plugins(
        serialProtocols: [LinesProtocol.factory], sinks: [SQLiteSink.factory])

    /// Runs the gateway for as long as `body` takes; it gets all requests of the command, and a folder
    /// for a socket, too.
    static func run(
        _ body:
            @escaping @Sendable (GatewayService, [RequestHandler], TemporaryFolder) async throws ->
            Void
    ) async throws {
        let log = Logger(component: "test") { _ in }
        let feed = LiveFeed(clock: SystemClock(), log: log)
        let handlers =
            RequestRouter.all + StoreRequests.handlers()
            + [.follow(feed), .metrics(heartRates: feed.heartRates)]
        let folder = try TemporaryFolder()
        try folder.write(Array(configuration.utf8), to: "pulsegate.json5")
        let environment = Environment(variables: ["XDG_DATA_HOME": folder.path])
        let file = try ConfigurationFile.load(
            option: folder.path("pulsegate.json5"), environment: environment,
            types: plugins.makeQuantityTypes())
        let directory = try DataDirectory.locate(
            file, environment: environment, isSimulation: false)
        let stop = StopSignal()
        let transport = BodyTransport(stop: stop) { try await body($0, handlers, folder) }
        var options = GatewayHost.Options()
        options.loadConfiguration = { () throws(HostError) in file }
        options.transports = [{ _ in feed }, { _ in transport }]
        try await GatewayHost(
            plugins: plugins, environment: environment, clock: SystemClock(),
            log: log, executor: nil
        ).run(GatewayPlan(file: file, folder: directory, plugins: plugins), options, until: stop)
        try transport.result.withLock { $0 }?.get()
    }
}

/// Runs a body with the service, then stops the gateway.
private final class BodyTransport: ServiceTransport {
    let result = Mutex<Result<Void, any Error>?>(nil)
    private let stop: StopSignal
    private let body: @Sendable (GatewayService) async throws -> Void

    init(stop: StopSignal, body: @escaping @Sendable (GatewayService) async throws -> Void) {
        self.stop = stop
        self.body = body
    }

    func run(_ service: GatewayService) async {
        do {
            try await body(service)
            result.withLock { $0 = .success(()) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        stop.stop()
    }
}
