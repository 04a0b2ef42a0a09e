import CMicrohttpd
import Glibc
import Platform

/// Runs libmicrohttpd with the descriptor that it waits on itself (external epoll).
///
/// It is used only by the thread of the server.
final class ServerDriver: LoopDriver {
    /// The part of a server that is known from its start.
    struct Settings: Sendable {
        let library: MicrohttpdLibrary
        let limits: HTTPServerLimits
        let refuse: @Sendable (Int, String) -> HTTPServerResponse
        let inputLimit: @Sendable (String, String) -> Int?
        let handle: @Sendable (HTTPServerRequest, HTTPResponder) -> Void
    }

    /// A connection of a client.
    struct Connection {
        let peer: HTTPPeer
        let socket: Int32
    }

    /// The maximum number of runs for what goes out at the end; none of them waits.
    private static let lastRuns = 100
    /// The maximum number of places that are kept free; libmicrohttpd accepts fewer in one run.
    private static let freePlaces = 16

    let settings: Settings
    /// Posts an action to the thread of the server.
    let post: @Sendable (@escaping @Sendable (ServerDriver) -> Void) -> Void
    var connections: [OpaquePointer: Connection] = [:]
    /// The connections whose next request has not arrived, with the time when they are closed.
    private var deadlines: [OpaquePointer: UInt64] = [:]
    private var exchanges: [UInt64: Exchange] = [:]
    private var last: UInt64 = 0
    private var daemon: OpaquePointer?
    /// Whether a connection has ended: only in its next run does libmicrohttpd accept another one.
    private var hasPlace = false
    /// Whether no request is accepted any more.
    private(set) var isClosing = false

    var mhd: cmicrohttpd_functions { settings.library.functions }

    init(
        _ settings: Settings,
        post: @escaping @Sendable (@escaping @Sendable (ServerDriver) -> Void) -> Void
    ) {
        self.settings = settings
        self.post = post
    }

    /// Starts to serve the clients of a listening socket, which is closed at the end.
    ///
    /// - Returns: Whether libmicrohttpd has started.
    func start(_ socket: Int32) -> Bool {
        var start = cmicrohttpd_settings(
            socket: socket, connection_limit: UInt32(settings.limits.connections),
            memory_limit: settings.limits.connectionBytes,
            timeout_seconds: UInt32(settings.limits.stalledSeconds),
            context: Unmanaged.passUnretained(self).toOpaque(), handle: serverHandleCallback,
            complete: serverCompleteCallback, notify: serverNotifyCallback,
            begin: serverBeginCallback)
        daemon = cmicrohttpd_start(settings.library.table, &start)
        if daemon == nil { close(socket) }
        return daemon != nil
    }

    var isIdle: Bool { daemon == nil }

    func process() -> Bool {
        guard let daemon else { return false }
        closeLateConnections()
        hasPlace = false
        _ = mhd.run(daemon)
        return hasPlace || timeout(of: daemon) == 0
    }

    func nextWait() -> LoopWait {
        guard let daemon else { return .wakeUpOnly }
        let epoll = cmicrohttpd_epoll(settings.library.table, daemon)
        var end = deadlines.values.min() ?? .max
        if let milliseconds = timeout(of: daemon) {
            end = min(end, SystemTime.monotonicMicroseconds() + milliseconds * 1_000)
        }
        return .descriptors(
            [pollfd(fd: epoll, events: Int16(POLLIN), revents: 0)], deadline: end)
    }

    private func timeout(of daemon: OpaquePointer) -> UInt64? {
        let milliseconds = cmicrohttpd_timeout(settings.library.table, daemon)
        return milliseconds < 0 ? nil : UInt64(milliseconds)
    }

    /// Ends all connections and the server; what was sent to outputs goes out as far as it fits.
    func shutDown() {
        guard let daemon else { return }
        for _ in 0..<Self.lastRuns where exchanges.values.contains(where: \.isFinishing) {
            _ = mhd.run(daemon)
        }
        isClosing = true
        // libmicrohttpd must not be stopped with a suspended connection.
        for exchange in exchanges.values { resume(exchange) }
        _ = mhd.run(daemon)
        mhd.stop_daemon(daemon)
        self.daemon = nil
    }
}

// MARK: Requests

extension ServerDriver {
    /// Notes a connection, and when its first request must have arrived.
    func open(_ connection: OpaquePointer) {
        let socket = cmicrohttpd_socket(settings.library.table, connection)
        connections[connection] = Connection(peer: .of(socket), socket: socket)
        makePlace()
        expectRequest(on: connection)
    }

    /// Closes the connection that has waited longest for its request when few places are left: clients that
    /// send nothing cannot keep others out.
    private func makePlace() {
        let limit = settings.limits.connections
        guard connections.count > limit - min(Self.freePlaces, limit / 2),
            let longest = deadlines.min(by: { $0.value < $1.value })?.key
        else { return }
        cut(longest)
    }

    func closed(_ connection: OpaquePointer) {
        connections[connection] = nil
        deadlines[connection] = nil
        hasPlace = true
    }

    private func expectRequest(on connection: OpaquePointer) {
        expect(on: connection, seconds: settings.limits.requestSeconds)
    }

    private func expect(on connection: OpaquePointer, seconds: Double) {
        let limit = UInt64(seconds * 1_000_000)
        deadlines[connection] = SystemTime.monotonicMicroseconds() + limit
    }

    private func closeLateConnections() {
        guard !deadlines.isEmpty else { return }
        let now = SystemTime.monotonicMicroseconds()
        for (connection, deadline) in deadlines where deadline <= now { cut(connection) }
    }

    private func cut(_ connection: OpaquePointer) {
        deadlines[connection] = nil
        guard let socket = connections[connection]?.socket else { return }
        // libmicrohttpd sees the end and closes it.
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Makes the exchange of a request whose line has arrived.
    func begin(_ target: String, on connection: OpaquePointer) -> Exchange {
        last += 1
        let exchange = Exchange(last, target: target, connection: connection, driver: self)
        exchanges[last] = exchange
        return exchange
    }

    /// Hands a request that has arrived, maybe without its content, to the owner.
    func finishReceiving(_ exchange: Exchange) {
        deadlines[exchange.connection] = nil
        exchange.phase = .waiting
        suspend(exchange)
        let request = HTTPServerRequest(
            method: exchange.method, target: exchange.target, headers: exchange.headers,
            body: exchange.body, input: exchange.input,
            peer: connections[exchange.connection]?.peer ?? .unknown)
        exchange.body = []
        settings.handle(request, HTTPResponder(number: exchange.number, post: post))
    }

    /// Continues with the response of the owner; one for a client that has left is dropped.
    func answer(_ number: UInt64, _ response: HTTPServerResponse) {
        guard let exchange = exchanges[number], case .waiting = exchange.phase, !isClosing else {
            if case .output(let output) = response.body { output.close() }
            return
        }
        exchange.phase = .answered(response)
        exchange.input?.discard()
        if deadlines[exchange.connection] != nil { expectRequest(on: exchange.connection) }
        if case .output(let output) = response.body {
            exchange.output = output
            let post = post
            output.attach { post { driver in driver.more(number) } }
        }
        resume(exchange)
    }

    func more(_ number: UInt64) {
        if let exchange = exchanges[number] { resume(exchange) }
    }

    /// Lets the content of a request arrive, for which there is a limited time.
    func beginInput(of exchange: Exchange) {
        exchange.hasInputBegun = true
        expect(on: exchange.connection, seconds: settings.limits.inputSeconds)
    }

    /// Ends the content of a request: the owner works on the response.
    func finishInput(of exchange: Exchange) {
        deadlines[exchange.connection] = nil
        exchange.input?.finish()
        suspend(exchange)
    }

    /// Forgets an exchange that is over.
    func end(_ exchange: Exchange) {
        exchange.output?.close()
        exchange.input?.close()
        exchanges[exchange.number] = nil
        if connections[exchange.connection] != nil { expectRequest(on: exchange.connection) }
    }

    func suspend(_ exchange: Exchange) {
        guard !exchange.isSuspended else { return }
        exchange.isSuspended = true
        mhd.suspend_connection(exchange.connection)
    }

    private func resume(_ exchange: Exchange) {
        guard exchange.isSuspended else { return }
        exchange.isSuspended = false
        mhd.resume_connection(exchange.connection)
    }
}

extension HTTPPeer {
    static let unknown = HTTPPeer(address: "", isLoopback: false)

    /// The peer of a connected socket.
    fileprivate static func of(_ socket: Int32) -> HTTPPeer {
        guard let peer = SocketAddress(of: socket, { getpeername($0, $1, $2) }),
            let own = SocketAddress(of: socket, { getsockname($0, $1, $2) })
        else { return .unknown }
        return HTTPPeer(
            address: peer.host, isLoopback: peer.isLoopback,
            userID: peer.isLoopback ? PeerUser.id(peer: peer, own: own) : nil)
    }
}
