import GatewayCore
import Readiness
import Synchronization

/// What goes to one client: written at once where it fits, else kept until the client reads.
///
/// It never waits for the client. One that leaves too much unread is cut off, so that it costs neither
/// the gateway nor another client more than ``limit`` bytes.
final class ControlOutput: Sendable {
    /// So much may wait for a client, in bytes.
    static let limit = 1 << 20

    private struct State {
        /// What did not fit, of which the first ``written`` bytes have been written since.
        var backlog: [UInt8] = []
        var written = 0
        var isClosed = false

        var rest: ArraySlice<UInt8> { backlog[written...] }
    }

    private let socket: LocalSocket
    private let clients: ControlClients
    private let state = Mutex(State())
    private let backlogs: AsyncStream<Void>
    private let backlogSignal: AsyncStream<Void>.Continuation

    init(_ socket: LocalSocket, clients: ControlClients) {
        self.socket = socket
        self.clients = clients
        (backlogs, backlogSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sends bytes; `next` is called before anything else can be sent behind them.
    func send(_ bytes: [UInt8], then next: () -> Void = {}) {
        guard !bytes.isEmpty else { return }
        let isTooSlow = state.withLock { state in
            guard !state.isClosed else { return false }
            defer { next() }
            let rest = state.rest.isEmpty ? write(bytes[...], &state) : bytes[...]
            guard !rest.isEmpty else { return false }
            guard state.rest.count + rest.count <= Self.limit else {
                state = State(isClosed: true)
                return true
            }
            // What is kept stays below twice the limit.
            if state.written >= Self.limit / 2 {
                state.backlog.removeFirst(state.written)
                state.written = 0
            }
            state.backlog += rest
            backlogSignal.yield()
            return false
        }
        guard isTooSlow else { return }
        socket.shutDown()
        clients.noteCutOff()
    }

    /// Writes what is kept whenever the client has made room, until the task is cancelled.
    func writeBacklogs(poller: DescriptorPoller) async {
        for await _ in backlogs {
            do { try await drain(poller: poller) } catch { return socket.shutDown() }
        }
    }

    /// Returns when nothing is kept any more.
    func drain(poller: DescriptorPoller) async throws {
        guard !writeBacklog() else { return }
        let writable = try poller.watch(socket.duplicate(), .writable)
        defer { writable.close() }
        while !writeBacklog() { try await writable.wait() }
    }

    private func writeBacklog() -> Bool {
        state.withLock { state in
            let rest = write(state.rest, &state)
            state.written = state.backlog.count - rest.count
            if rest.isEmpty {
                state.backlog = []
                state.written = 0
            }
            return rest.isEmpty
        }
    }

    /// Writes what fits and answers with the rest; when the client is gone there is none.
    private func write(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> ArraySlice<UInt8> {
        var rest = bytes
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: return rest
            case .failed:
                state.isClosed = true
                return []
            }
        }
        return rest
    }
}
