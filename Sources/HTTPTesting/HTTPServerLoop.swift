import GatewayTesting
import Glibc
import Synchronization

/// The event loop of a ``ScriptedHTTPServer``, on its thread.
final class HTTPServerLoop {
    /// The size of a read; large for benchmarks.
    private static let readSize = 1 << 20
    private static let endlessWait: Int32 = -1

    private let listener: ListeningSocket
    private let wakeUp: Int32
    private let shared: ScriptedHTTPServer.Shared
    private let script: ScriptedHTTPServer.Script
    private let recordsRequests: Bool
    private let readsBodies: Bool
    private var connections: [HTTPServerConnection] = []

    init(
        listener: ListeningSocket, wakeUp: Int32, shared: ScriptedHTTPServer.Shared,
        script: @escaping ScriptedHTTPServer.Script, recordsRequests: Bool, readsBodies: Bool
    ) {
        self.listener = listener
        self.wakeUp = wakeUp
        self.shared = shared
        self.script = script
        self.recordsRequests = recordsRequests
        self.readsBodies = readsBodies
    }

    /// The monotonic time in seconds.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Runs until the server is stopped.
    func run() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 8)
        defer {
            buffer.deallocate()
            connections.removeAll()
            shared.state.withLock { $0.counts.openConnections = 0 }
            close(listener.descriptor)
        }
        while !shared.state.withLock({ $0.mustStop }) { turn(buffer) }
    }

    private func turn(_ buffer: UnsafeMutableRawBufferPointer) {
        var descriptors = [
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = addConnections(to: &descriptors)
        poll(&descriptors, nfds_t(descriptors.count), timeout)
        if descriptors[0].revents != 0 { handleWakeUp(buffer) }
        let now = Self.now()
        for (connection, entry) in zip(connections, descriptors.dropFirst(2)) {
            let ready = Int32(entry.revents)
            if ready & (POLLIN | POLLHUP | POLLERR) != 0 {
                connection.read(into: buffer, now: now, handlers)
            }
            connection.write(now: now)
        }
        if descriptors[1].revents != 0 { acceptClients() }
        finishTurn(now: now)
    }

    /// Adds the descriptors of the connections; returns the poll timeout in milliseconds.
    private func addConnections(to descriptors: inout [pollfd]) -> Int32 {
        let now = Self.now()
        var end = shared.state.withLock { $0.waiters.map(\.end).min() }
        for connection in connections {
            let wait = connection.wait(now: now)
            descriptors.append(
                pollfd(fd: connection.descriptor, events: Int16(wait.events), revents: 0))
            if let until = wait.until { end = min(end ?? until, until) }
        }
        guard let end else { return Self.endlessWait }
        return Int32(max(0, ((end - now) * 1000).rounded(.up)))
    }

    private func handleWakeUp(_ buffer: UnsafeMutableRawBufferPointer) {
        _ = read(wakeUp, buffer.baseAddress, buffer.count)
        let mustRelease = shared.state.withLock { state in
            defer { state.mustRelease = false }
            return state.mustRelease
        }
        guard mustRelease else { return }
        let now = Self.now()
        for connection in connections { connection.release(now: now) }
    }

    private func acceptClients() {
        while let client = listener.accept() {
            let number = shared.state.withLock { state in
                defer { state.counts.connections += 1 }
                return state.counts.connections
            }
            connections.append(
                HTTPServerConnection(client, number: number, storesBodies: readsBodies))
        }
    }

    private func finishTurn(now: Double) {
        connections.removeAll { $0.hasEnded }
        let (met, late) = shared.state.withLock { state in
            state.counts.openConnections = connections.count
            let late = state.waiters.filter { $0.end <= now }
            state.waiters.removeAll { $0.end <= now }
            return (state.removeMetWaiters(), late)
        }
        for waiter in met { waiter.continuation.resume() }
        for waiter in late {
            waiter.continuation.resume(
                throwing: ProgramFailure(
                    "timed out waiting for the HTTP server: \(shared.state.withLock { $0.counts })")
            )
        }
    }

    private var handlers: HTTPServerConnection.Handlers {
        HTTPServerConnection.Handlers(
            head: { [shared, script] head in
                let number = shared.state.withLock { state in
                    state.counts.heads += 1
                    return state.counts.heads
                }
                return script(number, head)
            },
            request: { [shared, recordsRequests] request in
                shared.state.withLock { state in
                    state.counts.requests += 1
                    if recordsRequests { state.requests.append(request) }
                }
            },
            bytes: { [shared] count in shared.state.withLock { $0.counts.bytes += count } })
    }
}
