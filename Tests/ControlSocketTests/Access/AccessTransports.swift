import GatewayTesting
import Synchronization
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

/// A client as a transport knows it.
struct AccessCaller: Sendable {
    /// The number of the user.
    var user: UInt32 = 4_711
    /// The name that the program gives itself; nil for none.
    var name: String? = "dash"
    /// Whether it is the user of the gateway.
    var isOwner = false

    /// The client in the table of access.
    var id: ClientID? {
        name.flatMap { ClientID("\(ControlClient.transport):\(user):\($0)") }
    }

    /// The client that a transport makes before it has given its name.
    func makeClient() -> ServiceClient {
        ServiceClient(
            transport: ControlClient.transport, user: PlainName("\(user)"), isOwner: isOwner)
    }
}

/// A transport of requests to a service.
protocol AccessTransport: Sendable {
    /// Connects as a client, which has not given its name yet.
    func connect(_ caller: AccessCaller) async throws -> any AccessConnection
    /// The client in the table of access.
    func id(of caller: AccessCaller) -> ClientID?
    /// Whether it has clients without a name, which give one in `hello`.
    var hasUnnamedClients: Bool { get }
    /// How a client asks for access, in the words of the transport.
    var wordsToAsk: String { get }
    /// Whether a client can send a request.
    func carries(_ request: String) -> Bool
}

extension AccessTransport {
    func id(of caller: AccessCaller) -> ClientID? { caller.id }
    var hasUnnamedClients: Bool { true }
    var wordsToAsk: String { "pulsegate access request" }
    func carries(_ request: String) -> Bool { true }

    /// Connects as a client, which gives its name if it has one.
    func connection(_ caller: AccessCaller) async throws -> any AccessConnection {
        let connection = try await connect(caller)
        guard hasUnnamedClients, let name = caller.name else { return connection }
        let lines = try await connection.lines(after: #"{"request":"hello","name":"\#(name)"}"#)
        XCTAssertTrue(lines.first?.hasPrefix(#"{"hello":"#) ?? false, "\(lines)")
        return connection
    }
}

/// The connection of a client.
protocol AccessConnection: Sendable {
    /// Sends a request, and returns what the client has received since the last one: the answer, and
    /// the lines of streams.
    func lines(after request: String) async throws -> [String]
    /// Disconnects.
    func leave() async
}

/// The answer to it ends the lines of a request.
private let ping = #"{"request":"ping"}"#
private let pong = #"{"ping":"#

/// The direct call of the service in this process.
struct DirectTransport: AccessTransport {
    let service: GatewayService
    let router: RequestRouter

    func connect(_ caller: AccessCaller) async throws -> any AccessConnection {
        DirectConnection(service, router, caller.makeClient())
    }
}

private final class DirectConnection: AccessConnection, ResponseChannel {
    let client: ServiceClient
    private let service: GatewayService
    private let router: RequestRouter
    private let sent = Mutex<[UInt8]>([])
    private let streams = Mutex<[String: any ResponseStream]>([:])

    init(_ service: GatewayService, _ router: RequestRouter, _ client: ServiceClient) {
        self.service = service
        self.router = router
        self.client = client
    }

    func lines(after request: String) async throws -> [String] {
        for line in [request, ping] {
            let answer = await router.answer(Array(line.utf8), service, self)
            guard let (name, stream) = answer, let stream else { continue }
            streams.withLock { $0[name] = stream }
        }
        let bytes = sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.filter { !$0.hasPrefix(pong) }
    }

    func leave() async {
        for name in streams.withLock({ Array($0.keys) }) { endStream(name) }
    }

    func send(_ line: [UInt8], preparedBy prepare: () -> Void) {
        prepare()
        sent.withLock { $0 += line }
    }

    func waitUntilWritten() async throws {}

    func endStream(_ name: String) { streams.withLock { $0.removeValue(forKey: name) }?.cancel() }
}

/// A control socket whose clients have the users that a test gives them.
final class SocketTransport: AccessTransport {
    private let folder: String
    private let server: Task<Void, Never>
    private let next: NextCaller

    private final class NextCaller: Sendable {
        let caller = Mutex(AccessCaller())
    }

    init(_ service: GatewayService, _ router: RequestRouter, in folder: TemporaryFolder) throws {
        self.folder = folder.path
        let log = Logger(component: "test") { _ in }
        let next = NextCaller()
        var server = ControlServer(
            listener: try .listen(at: SocketPath(folder: folder.path, name: DataFiles.control)),
            clients: ControlClients(log: log), clock: SystemClock(), log: log, service: service,
            router: router)
        server.makeClient = { _ in next.caller.withLock { $0 }.makeClient() }
        self.next = next
        self.server = Task { [server] in await server.run() }
    }

    func connect(_ caller: AccessCaller) async throws -> any AccessConnection {
        next.caller.withLock { $0 = caller }
        let connection = SocketConnection(client: try ControlTestClient(folder))
        // It is accepted as this user when it is answered.
        _ = try await connection.lines(after: ping)
        return connection
    }

    /// Ends the server.
    func stop() async {
        server.cancel()
        await server.value
    }
}

private struct SocketConnection: AccessConnection {
    let client: ControlTestClient

    func lines(after request: String) async throws -> [String] {
        await client.send(request)
        await client.send(ping)
        var lines: [String] = []
        var pings = request == ping ? 2 : 1
        while pings > 0 {
            guard let line = try await client.line() else {
                throw ControlTestClient.Failure(description: "closed after \(request)")
            }
            if line.hasPrefix(pong) { pings -= 1 } else { lines.append(line) }
        }
        return lines
    }

    func leave() async { await client.leave() }
}
