import GatewayTesting
import Glibc
import HealthModel
import Synchronization
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import GatewayJournal
@testable import Platform
@testable import WorkoutService

/// A test case with a control socket in a temporary directory, and clients for it.
class ControlTestCase: XCTestCase {
    /// A server that runs until it is stopped.
    struct Served {
        let folder: TemporaryFolder
        let live: LiveLane
        let service: GatewayService
        let gateway: Gateway
        let clients: ControlClients
        let warnings: WarningRecorder
        let listener: LocalSocket
        let task: Task<Void, Never>

        func client() throws -> ControlTestClient { try ControlTestClient(folder.path) }

        /// Stops the server and waits for its end.
        func stop() async {
            task.cancel()
            await task.value
        }
    }

    final class WarningRecorder: Sendable {
        private let lines = Mutex<[String]>([])

        var messages: [String] { lines.withLock { $0 } }

        var logger: Logger {
            Logger(component: "test") { [self] record in
                guard record.level == .warning || record.level == .error else { return }
                lines.withLock { $0.append(record.message) }
            }
        }
    }

    /// Serves a folder; the answer to `status` is `{"fine":true}`.
    func serve(
        _ handlers: [RequestHandler] = [], clock: any GatewayClock = SystemClock(),
        asUser user: UInt32? = nil
    ) throws -> Served {
        let folder = try TemporaryFolder()
        let warnings = WarningRecorder()
        let clients = ControlClients(log: warnings.logger)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: folder.path, name: DataFiles.control))
        let (gateway, service) = try ServiceFixture.make(folder: folder.path)
        let fine = RequestHandler("status") { _, _, channel in
            channel.send(Array("{\"fine\":true}\n".utf8))
            return nil
        }
        var server = ControlServer(
            listener: listener, clients: clients, clock: clock, log: warnings.logger,
            service: service, router: RequestRouter([fine, .tap] + handlers))
        if let user {
            server.router = RequestRouter()
            server.makeClient = { _ in
                ServiceClient(
                    transport: ControlClient.transport, user: PlainName("\(user)"), isOwner: false)
            }
        }
        return Served(
            folder: folder, live: service.live, service: service, gateway: gateway,
            clients: clients, warnings: warnings, listener: listener,
            task: Task { [server] in await server.run() })
    }

    /// Samples of a type, all different.
    func samples(
        _ count: Int, _ type: QuantityType = .heartRate, person: String? = nil
    ) throws -> RecordBatch {
        RecordBatch(
            try (0..<count).map { index in
                let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000 + Int64(index))
                return .sample(
                    try QuantitySample(
                        id: RecordID.make(
                            start: now, device: "d", stream: type.name, key: UInt64(index)),
                        type: type, start: now, end: now,
                        quantity: Quantity(60, type.canonicalUnit),
                        person: person))
            })
    }

    func lines(of batch: RecordBatch) -> [String] {
        String(decoding: batch.lines.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// A client that blocks on its own queue, so that the server can continue.
actor ControlTestClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A timeout that is long enough for a busy machine.
    private static let timeoutMilliseconds: Int32 = 30_000

    private nonisolated let executor = QueueExecutor(label: "control client")
    private let socket: LocalSocket
    private var received: [UInt8] = []
    private var hasEnded = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(_ folder: String) throws {
        socket = try LocalSocket.connect(
            to: SocketPath(folder: folder, name: DataFiles.control), seconds: 30)
    }

    /// Sends a line, or bytes without a line end.
    func send(_ text: String, end: String = "\n") {
        send(Array((text + end).utf8))
    }

    /// Sends bytes until the peer closes the connection, or accepts nothing for a long time.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock:
                var polls = [pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)]
                guard poll(&polls, 1, Self.timeoutMilliseconds) > 0 else { return }
            case .failed: return
            }
        }
    }

    /// Closes the sending side, but still reads.
    func endSending() {
        shutdown(socket.number, Int32(SHUT_WR))
    }

    /// Disconnects.
    func leave() {
        socket.shutDown()
    }

    /// The next line; nil at the end.
    func line() throws -> String? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            if hasEnded { return nil }
            try read()
        }
    }

    /// The next lines.
    func lines(_ count: Int) throws -> [String] {
        var lines: [String] = []
        while lines.count < count, let line = try line() { lines.append(line) }
        return lines
    }

    /// Sends a request and answers with the next line.
    func ask(_ text: String) throws -> String? {
        send(text)
        return try line()
    }

    /// Reads to the end and returns the number of bytes.
    func readToEnd() throws -> Int {
        var count = received.count
        while !hasEnded {
            received = []
            try read()
            count += received.count
        }
        received = []
        return count
    }

    private func read() throws {
        var polls = [pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)]
        guard poll(&polls, 1, Self.timeoutMilliseconds) > 0 else {
            throw Failure(description: "nothing came")
        }
        switch socket.read(limit: 1 << 16) {
        case .bytes(let bytes): received += bytes
        case .end, .failed: hasEnded = true
        case .wouldBlock: break
        }
    }
}

/// Services of gateways that do not run.
enum ServiceFixture {
    /// A gateway with a sink and the people ada and bob, and its service.
    static func make(folder: String) throws -> (Gateway, GatewayService) {
        let clock = SystemClock()
        let log = Logger(component: "test") { _ in }
        let live = LiveLane()
        let people = try GatewayConfiguration(
            ConfigurationNode(json5: "{ people: { ada: {}, bob: {} } }")
        ).people
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: people, version: "1",
            log: log)
        let gateway = Gateway(
            sources: [], sinks: [Gateway.NamedSink(name: "store", sink: InMemorySink())],
            pipeline: pipeline, journal: journal, clock: clock, log: log)
        let workouts = WorkoutManager(
            WorkoutDependencies(
                live: live, clock: clock, version: "1",
                earliest: Instant(nanosecondsSince1970: 0), log: log, people: { people },
                activities: { Activities() }, storeLocation: { nil }, publish: { _ in .accepted },
                waitForStore: { true }))
        let service = GatewayService(
            gateway: gateway, live: live, workouts: workouts, reload: nil,
            store: GatewayStore(
                locate: { () throws(HostError) in throw HostError(.configuration, "no store") },
                wait: { true }),
            files: nil, access: AccessControl(folder: DataDirectory(path: folder), log: log),
            clock: clock, dataDirectory: folder)
        return (gateway, service)
    }
}
