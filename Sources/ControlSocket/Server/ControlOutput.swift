import GatewayHost
package import Platform
import Synchronization

/// The output to one client: written immediately if possible, otherwise buffered.
///
/// Sending never waits for the client. A slow client is disconnected when its buffer would exceed
/// ``limit`` bytes.
package final class ControlOutput: Sendable {
    /// The maximum size of the buffer, in bytes; a single larger message is allowed in an empty
    /// buffer.
    package static let limit = 1 << 20

    private struct State {
        /// The buffered bytes; the first ``written`` of them have been written.
        var backlog: [UInt8] = []
        var written = 0
        var isClosed = false

        var rest: ArraySlice<UInt8> { backlog[written...] }

        mutating func append(_ bytes: [UInt8]) {
            // Written bytes are removed in large steps, to move the rest rarely.
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

    /// Creates the output of a client's socket.
    package init(_ socket: LocalSocket, clients: ControlClients) {
        self.socket = socket
        self.clients = clients
        (backlogs, backlogSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether the client has left or was disconnected.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether bytes wait for the client.
    var isWaiting: Bool { state.withLock { !$0.rest.isEmpty } }

    /// Disconnects the client.
    func disconnect() { socket.shutDown() }

    /// Sends bytes; bytes sent by others after the call of `prepare` follow them.
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
        clients.countCutOff()
    }

    /// Writes buffered bytes when the socket is writable, until the task is cancelled.
    package func writeBacklogs(poller: DescriptorPoller) async {
        for await _ in backlogs {
            do { try await drain(poller: poller) } catch { return socket.shutDown() }
        }
    }

    /// Returns when all buffered bytes are written.
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

    /// Writes as much as fits and returns the rest; empty if the connection is closed.
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
