import GatewayCore
import GatewayTesting
import Glibc
import Platform
import Synchronization

/// A local HTTP server for tests that reacts to each request according to a script.
///
/// It has its own thread and ends with the last reference. It uses plain sockets, independent of
/// the client under test. Malformed requests are answered with status 400.
public final class ScriptedHTTPServer: Sendable {
    /// Chooses the reaction when the headers of a request are complete; the first request is number
    /// 1.
    public typealias Script = @Sendable (Int, ReceivedHTTPRequest) -> ScriptedReaction

    /// The counters of the server.
    public struct Counts: Sendable {
        /// Accepted connections.
        public var connections = 0
        /// Open connections.
        public var openConnections = 0
        /// Requests with complete headers.
        public var heads = 0
        /// Complete requests.
        public var requests = 0
        /// Received bytes.
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

        /// Removes and returns the waiters whose condition is met.
        mutating func removeMetWaiters() -> [Waiter] {
            let met = waiters.filter { $0.isMet(counts) }
            waiters.removeAll { $0.isMet(counts) }
            return met
        }
    }

    private enum Endpoint {
        case loopback
        case unix(String)
    }

    private struct Running {
        let thread: JoinableThread
        let wakeUp: (read: Int32, write: Int32)
    }

    /// The timeout of waits; generous for a loaded machine.
    private static let timeoutSeconds = 60.0

    private let endpoint: Endpoint
    private let script: Script
    private let recordsRequests: Bool
    private let readsBodies: Bool
    private let shared: Shared
    private let portCell = Mutex<UInt16>(0)
    private let running = Mutex<Running?>(nil)

    /// The state shared by the thread and the server.
    final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Listens on a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - recordsRequests: Whether to record requests; false only counts them, for benchmarks.
    ///   - readsBodies: Whether the script sees bodies; by default the same as `recordsRequests`.
    public init(
        recordsRequests: Bool = true, readsBodies: Bool? = nil,
        script: @escaping Script = { _, _ in .answer() }
    ) throws {
        endpoint = .loopback
        self.recordsRequests = recordsRequests
        self.readsBodies = readsBodies ?? recordsRequests
        self.script = script
        shared = Shared()
        try start()
    }

    /// Listens on a Unix socket.
    public init(
        socketPath: String, script: @escaping Script = { _, _ in .answer() }
    ) throws {
        endpoint = .unix(socketPath)
        recordsRequests = true
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

    /// The URL of a path on this server.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The complete requests, in order.
    public var requests: [ReceivedHTTPRequest] { shared.state.withLock { $0.requests } }

    /// The counters of the server.
    public var counts: Counts { shared.state.withLock { $0.counts } }

    /// Sends the answers that wait for the release.
    public func release() {
        shared.state.withLock { $0.mustRelease = true }
        wakeUp()
    }

    /// Waits until the counters meet a condition.
    public func wait(until isMet: @escaping @Sendable (Counts) -> Bool) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let end = HTTPServerLoop.now() + Self.timeoutSeconds
            let waiter = Waiter(isMet: isMet, end: end, continuation: continuation)
            let (met, isStopped) = shared.state.withLock { state in
                if !state.mustStop || isMet(state.counts) { state.waiters.append(waiter) }
                return (state.removeMetWaiters(), state.mustStop)
            }
            for waiter in met { waiter.continuation.resume() }
            if met.isEmpty, isStopped { waiter.continuation.resume(throwing: Self.stopped) }
            wakeUp()
        }
    }

    /// Starts to listen, again on the same port or path after a stop.
    public func start() throws {
        try running.withLock { running in
            guard running == nil else { return }
            let listener: ListeningSocket
            switch endpoint {
            case .loopback: listener = try .loopback(port: port)
            case .unix(let path): listener = try .unix(path: path)
            }
            portCell.withLock { $0 = listener.port }
            let pipe = try ProgramStart.makePipe()
            shared.state.withLock { $0.mustStop = false }
            let thread = try JoinableThread(name: "http-server") {
                [shared, script, recordsRequests, readsBodies] in
                HTTPServerLoop(
                    listener: listener, wakeUp: pipe.read, shared: shared, script: script,
                    recordsRequests: recordsRequests, readsBodies: readsBodies
                ).run()
            }
            running = Running(thread: thread, wakeUp: pipe)
        }
    }

    /// Closes the connections and stops to listen; returns when that is done.
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
