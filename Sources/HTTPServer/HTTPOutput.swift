import Synchronization

/// The content of a response that is sent piece by piece, such as a stream of events.
///
/// Sending never waits. A client that reads too slowly is cut off.
package final class HTTPOutput: Sendable {
    /// The maximum number of bytes that wait; a single larger piece is allowed when none waits.
    package static let limit = 1 << 20

    /// How an output has ended for its sender.
    package enum End: Equatable, Sendable {
        /// The client has left, or the server has stopped.
        case closed
        /// The client read too slowly.
        case tooSlow
    }

    private struct State {
        var pieces: ArraySlice<[UInt8]> = []
        /// The number of bytes of the first piece that were taken.
        var taken = 0
        var size = 0
        /// No more follows.
        var isFinished = false
        var end: End?
        /// The connection waits until there is more.
        var isWaiting = false
        var wake: (@Sendable () -> Void)?
        var whenEnded: (@Sendable (End) -> Void)?
        var drains: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Mutex(State())
    /// What a client that is cut off gets as the last piece.
    private let farewell: [UInt8]

    /// Makes an output.
    ///
    /// - Parameter farewell: The last piece for a client that reads too slowly.
    package init(farewell: [UInt8] = []) {
        self.farewell = farewell
    }

    /// The end; nil while the client is there.
    package var end: End? { state.withLock { $0.end } }

    /// Calls a function once, when the client leaves before the end or is cut off; at once if it has.
    package func whenEnded(_ function: @escaping @Sendable (End) -> Void) {
        let end = state.withLock { state in
            if state.end == nil { state.whenEnded = function }
            return state.end
        }
        end.map(function)
    }

    /// Sends a piece.
    package func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        change { state in
            guard !state.isFinished else { return }
            if state.size > 0, state.size + bytes.count > Self.limit {
                // The first piece may be on its way; what follows it gives way to the farewell.
                state.pieces = state.pieces.prefix(1) + [farewell]
                state.size = state.pieces.reduce(-state.taken) { $0 + $1.count }
                state.isFinished = true
                state.end = .tooSlow
            } else {
                state.pieces.append(bytes)
                state.size += bytes.count
            }
        }
    }

    /// Ends the content after what was sent.
    package func finish() {
        change { $0.isFinished = true }
    }

    /// Waits until everything sent is on its way, or the client has left.
    package func drain() async {
        let (end, continuation) = AsyncStream.makeStream(of: Never.self)
        state.withLock { state in
            if state.size > 0, state.end == nil {
                state.drains.append(continuation)
            } else {
                continuation.finish()
            }
        }
        for await _ in end {}
    }

    private func change(_ change: (inout State) -> Void) {
        let calls = state.withLock { state in
            let before = state.end
            change(&state)
            var calls: [@Sendable () -> Void] = []
            if state.isWaiting, state.size > 0 || state.isFinished, let wake = state.wake {
                state.isWaiting = false
                calls.append(wake)
            }
            if before == nil, let end = state.end { calls += Self.ends(&state, end) }
            return calls
        }
        for call in calls { call() }
    }

    private static func ends(_ state: inout State, _ end: End) -> [@Sendable () -> Void] {
        defer {
            state.whenEnded = nil
            state.drains = []
        }
        var calls: [@Sendable () -> Void] = state.drains.map { drain in { drain.finish() } }
        if let function = state.whenEnded { calls.append { function(end) } }
        return calls
    }
}

/// The side of the server.
extension HTTPOutput {
    /// What a connection takes.
    enum Piece: Equatable {
        case bytes(Int)
        /// There is nothing at this moment: the function of `attach` is called when there is.
        case nothing
        case end
    }

    /// Sets the function that is called when there is more after ``Piece/nothing``.
    func attach(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Whether no more follows what was sent.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Moves bytes into a buffer.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        let (piece, drains) = state.withLock {
            state -> (Piece, [AsyncStream<Never>.Continuation]) in
            guard let first = state.pieces.first else {
                guard !state.isFinished else { return (.end, []) }
                state.isWaiting = true
                return (.nothing, [])
            }
            let count = min(buffer.count, first.count - state.taken)
            first.withUnsafeBytes { bytes in
                let part = bytes[state.taken..<(state.taken + count)]
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            }
            state.taken += count
            state.size -= count
            if state.taken == first.count {
                state.pieces.removeFirst()
                state.taken = 0
            }
            guard state.size == 0 else { return (.bytes(count), []) }
            defer { state.drains = [] }
            return (.bytes(count), state.drains)
        }
        for drain in drains { drain.finish() }
        return piece
    }

    /// Notes that the connection has ended; it is an end for the sender unless all was sent.
    func close() {
        change { state in
            let isComplete = state.isFinished && state.pieces.isEmpty
            state.isFinished = true
            state.pieces = []
            state.size = 0
            state.isWaiting = false
            state.wake = nil
            if state.end == nil, !isComplete { state.end = .closed }
        }
    }
}
