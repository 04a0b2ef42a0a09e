import GatewayHost
package import Platform
import Synchronization

/// What goes to one client: written at once where it fits, else kept until the client reads.
///
/// It never waits for the client. One that has not read what it was sent before is cut off when more than
/// ``limit`` bytes would wait for it, so that it costs the gateway no more than that.
package final class ControlOutput: Sendable {
    /// So much may wait for a client, in bytes; of what is sent at once, all of it.
    package static let limit = 1 << 20

    private struct State {
        /// What did not fit, of which the first ``written`` bytes have been written since.
        var backlog: [UInt8] = []
        var written = 0
        var isClosed = false

        var rest: ArraySlice<UInt8> { backlog[written...] }

        mutating func append(_ bytes: [UInt8]) {
            // What has been written is not kept for long, nor moved for every few bytes.
            if written >= ControlOutput.limit / 2 {
                backlog.removeFirst(written)
                written = 0
            }
            backlog += bytes
        }
    }

    private let socket: LocalSocket
    private let clients: ControlClients
    private let state = Mutex(State())
    private let backlogs: AsyncStream<Void>
    private let backlogSignal: AsyncStream<Void>.Continuation

    package init(_ socket: LocalSocket, clients: ControlClients) {
        self.socket = socket
        self.clients = clients
        (backlogs, backlogSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether the client has left or was disconnected.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sends bytes; what others send from the call of `prepare` on comes behind them.
    package func send(_ bytes: [UInt8], preparedBy prepare: () -> Void = {}) {
        guard !bytes.isEmpty else { return }
        let isTooSlow = state.withLock { state in
            guard !state.isClosed else { return false }
            prepare()
            if state.rest.isEmpty {
                let rest = write(bytes[...], &state)
                guard !rest.isEmpty else { return false }
                state.backlog = bytes
                state.written = bytes.count - rest.count
            } else {
                guard state.rest.count + bytes.count <= Self.limit else {
                    state = State(isClosed: true)
                    return true
                }
                state.append(bytes)
            }
            backlogSignal.yield()
            return false
        }
        guard isTooSlow else { return }
        socket.shutDown()
        clients.noteCutOff()
    }

    /// Writes what is kept whenever the client has made room, until the task is cancelled.
    package func writeBacklogs(poller: DescriptorPoller) async {
        for await _ in backlogs {
            do { try await drain(poller: poller) } catch { return socket.shutDown() }
        }
    }

    /// Returns when nothing is kept any more.
    package func drain(poller: DescriptorPoller) async throws {
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
