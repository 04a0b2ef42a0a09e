import GatewayCore
import Glibc
import Platform
import Synchronization

/// An HTTP server on this machine that does with each request what a test's script says.
///
/// It has a thread of its own, and ends with its last reference. Nothing of it depends on the client
/// that is tested: it is plain sockets. What is no request is answered with status 400.
public final class ScriptedHTTPServer: Sendable {
    /// Decides on the reaction when the headers of a request are there: the first request is number 1.
    public typealias Script = @Sendable (Int, ReceivedHTTPRequest) -> ScriptedReaction

    /// What has happened so far.
    public struct Counts: Sendable {
        /// Connections that were taken.
        public var connections = 0
        /// Those of them that are open.
        public var openConnections = 0
        /// Requests whose headers have come.
        public var heads = 0
        /// Requests that have come as a whole.
        public var requests = 0
        /// Bytes that have come.
        public var bytes = 0
    }

    struct Waiter {
        let isMet: @Sendable (Counts) -> Bool
        let end: Double
        let continuation: CheckedContinuation<Void, any Error>
    }

    struct State {
        var counts = Counts()
        var requests: [ReceivedHTTPRequest] = []
        var waiters: [Waiter] = []
        var mustRelease = false
        var mustStop = false

        /// Takes out those who need not wait any more.
        mutating func takeMet() -> [Waiter] {
            let met = waiters.filter { $0.isMet(counts) }
            waiters.removeAll { $0.isMet(counts) }
            return met
        }
    }

    private enum Place {
        case loopback
        case unix(String)
    }

    private struct Running {
        let thread: JoinableThread
        let wakeUp: (read: Int32, write: Int32)
    }

    /// More than anything takes, also on a machine that does much else.
    private static let timeoutSeconds = 60.0

    private let place: Place
    private let script: Script
    private let keepsRequests: Bool
    private let readsBodies: Bool
    private let shared: Shared
    private let portCell = Mutex<UInt16>(0)
    private let running = Mutex<Running?>(nil)

    /// What the thread and the server share.
    final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Listens on a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - keepsRequests: False only counts what comes, for measurements.
    ///   - readsBodies: Whether the script sees bodies; when left out, where requests are kept.
    public init(
        keepsRequests: Bool = true, readsBodies: Bool? = nil,
        script: @escaping Script = { _, _ in .answer() }
    ) throws {
        place = .loopback
        self.keepsRequests = keepsRequests
        self.readsBodies = readsBodies ?? keepsRequests
        self.script = script
        shared = Shared()
        try start()
    }

    /// Listens on a Unix socket.
    public init(
        socketPath: String, script: @escaping Script = { _, _ in .answer() }
    ) throws {
        place = .unix(socketPath)
        keepsRequests = true
        readsBodies = true
        self.script = script
        shared = Shared()
        try start()
    }

    deinit {
        stop()
    }

    /// The port; it is the same after ``stop()`` and ``start()``.
    public var port: UInt16 { portCell.withLock { $0 } }

    /// The URL of a path here.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The requests that have come as a whole, in their order.
    public var requests: [ReceivedHTTPRequest] { shared.state.withLock { $0.requests } }

    /// What has happened so far.
    public var counts: Counts { shared.state.withLock { $0.counts } }

    /// Lets the answers go that wait for it.
    public func release() {
        shared.state.withLock { $0.mustRelease = true }
        wakeUp()
    }

    /// Waits until it has come to this.
    public func wait(until isMet: @escaping @Sendable (Counts) -> Bool) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let end = HTTPServerLoop.now() + Self.timeoutSeconds
            let waiter = Waiter(isMet: isMet, end: end, continuation: continuation)
            let (met, isStopped) = shared.state.withLock { state in
                if !state.mustStop || isMet(state.counts) { state.waiters.append(waiter) }
                return (state.takeMet(), state.mustStop)
            }
            for waiter in met { waiter.continuation.resume() }
            if met.isEmpty, isStopped { waiter.continuation.resume(throwing: Self.stopped) }
            wakeUp()
        }
    }

    /// Listens again, on the same port or path.
    public func start() throws {
        try running.withLock { running in
            guard running == nil else { return }
            let listener: ListeningSocket
            switch place {
            case .loopback: listener = try .loopback(port: port)
            case .unix(let path): listener = try .unix(path: path)
            }
            portCell.withLock { $0 = listener.port }
            let pipe = try ProgramStart.makePipe()
            shared.state.withLock { $0.mustStop = false }
            let thread = try JoinableThread(name: "http-server") {
                [shared, script, keepsRequests, readsBodies] in
                HTTPServerLoop(
                    listener: listener, wakeUp: pipe.read, shared: shared, script: script,
                    keepsRequests: keepsRequests, readsBodies: readsBodies
                ).run()
            }
            running = Running(thread: thread, wakeUp: pipe)
        }
    }

    /// Closes the connections and listens no more; returns when that is done.
    public func stop() {
        shared.state.withLock { $0.mustStop = true }
        wakeUp()
        running.withLock { running in
            guard let stopped = running else { return }
            stopped.thread.join()
            close(stopped.wakeUp.read)
            close(stopped.wakeUp.write)
            running = nil
        }
        let waiters = shared.state.withLock { state in
            defer { state.waiters.removeAll() }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(throwing: Self.stopped) }
    }

    private static let stopped = ProgramFailure("the HTTP server was stopped")

    private func wakeUp() {
        running.withLock { running in
            if let running { _ = write(running.wakeUp.write, [0], 1) }
        }
    }
}
