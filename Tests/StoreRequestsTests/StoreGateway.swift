import GatewayTesting
import HealthModel
import Lines
import SQLiteSink
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import Platform
@testable import StoreRequests

/// A gateway with a store, of which a test asks.
struct StoreGateway: Sendable {
    let service: GatewayService
    private let router = RequestRouter(StoreRequests.handlers())

    private static let plugins = Plugins(
        serialProtocols: [LinesProtocol.factory], sinks: [SQLiteSink.factory])

    /// Runs the gateway for as long as `body` takes.
    ///
    /// - Parameter people: The people in the configuration.
    static func run(
        people: String = "{ ada: {}, bob: {} }",
        _ body: @escaping @Sendable (StoreGateway) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let configuration = """
            { sources: { foot: { use: "serial", port: { path: "/dev/tty-test" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite" }, people: \(people) }
            """
        try folder.write(Array(configuration.utf8), to: "pulsegate.json5")
        let environment = Environment(variables: ["XDG_DATA_HOME": folder.path])
        let file = try ConfigurationFile.load(
            option: folder.path("pulsegate.json5"), environment: environment,
            types: plugins.makeQuantityTypes())
        let directory = try DataDirectory.locate(
            file, environment: environment, isSimulation: false)
        let stop = StopSignal()
        let transport = Body(stop: stop) { try await body(StoreGateway(service: $0)) }
        var options = GatewayHost.Options()
        options.loadConfiguration = { () throws(HostError) in file }
        options.transports = [{ _ in transport }]
        try await GatewayHost(
            plugins: plugins, environment: environment, clock: SystemClock(),
            log: Logger(component: "test") { _ in }, executor: nil
        ).run(GatewayPlan(file: file, folder: directory, plugins: plugins), options, until: stop)
        try transport.result.withLock { $0 }?.get()
    }

    /// Stores records.
    func store(_ records: [Record]) async throws {
        let acceptance = await service.ingest(records)
        XCTAssertEqual(acceptance, .accepted)
        let isStored = await service.waitForStore(of: records)
        XCTAssertTrue(isStored)
    }

    /// The lines of the answer to a request.
    ///
    /// - Parameter name: The name of a client of another user; nil for the owner.
    func ask(_ request: String, as name: String? = nil) async -> [String] {
        let client = LinesClient(ofOther: name)
        _ = await router.answer(Array(request.utf8), service, client)
        return client.lines
    }

    /// Grants types to a client of another user.
    func grant(_ types: Set<String>, to name: String) async throws {
        let id = try XCTUnwrap(ClientID("test:4711:\(name)"))
        _ = try await service.access.decide(id, [.read: .types(types)], .granted)
    }

    /// A transport that runs a body with the service, then stops the gateway.
    private final class Body: ServiceTransport {
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
}

/// A client whose lines a test reads.
final class LinesClient: ResponseChannel {
    let client: ServiceClient
    private let received = Mutex<[UInt8]>([])

    init(ofOther name: String?) {
        client = ServiceClient(
            transport: PlainName(known: "test"), user: PlainName("4711"), isOwner: name == nil)
        if let name = name.flatMap({ PlainName($0) }) {
            _ = client.introduce(ServiceClient.Introduction(name: name, purpose: nil))
        }
    }

    var lines: [String] {
        String(decoding: received.withLock { $0 }, as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    func send(_ lines: [UInt8], preparedBy prepare: () -> Void) {
        prepare()
        received.withLock { $0 += lines }
    }

    func waitUntilWritten() async throws {}

    func endStream(_ name: String) {}
}

/// The channel of the owner, with the text that it has received.
final class AnswerLine: ResponseChannel {
    let client = ServiceClient(
        transport: PlainName(known: "test"), user: PlainName("0"), isOwner: true)
    private let received = Mutex<[UInt8]>([])

    var text: String { String(decoding: received.withLock { $0 }, as: UTF8.self) }

    func send(_ lines: [UInt8], preparedBy prepare: () -> Void) {
        prepare()
        received.withLock { $0 += lines }
    }

    func waitUntilWritten() async throws {}

    func endStream(_ name: String) {}
}
