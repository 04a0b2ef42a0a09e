import Synchronization

/// The content of a request that is received piece by piece, such as a file.
///
/// Nothing is received before the first call of ``next()``: a request that is answered before costs no
/// transfer. A reader that is slow makes the client wait. One task reads it.
package final class HTTPInput: Sendable {
    /// The maximum number of bytes that wait for the reader; a single larger piece is allowed when none waits.
    static let limit = 1 << 18

    /// Why the content is not complete.
    package enum Failure: Error, Equatable {
        /// The client has left, or the server has stopped.
        case closed
        /// It has more bytes than are allowed.
        case tooLong
    }

    private enum End {
        case complete
        case failed(Failure)
    }

    private struct State {
        var pieces: ArraySlice<[UInt8]> = []
        /// The number of bytes that wait.
        var size = 0
        /// The number of bytes that were received.
        var received = 0
        var end: End?
        /// The reader wants no more.
        var isDiscarded = false
        /// The connection waits until pieces are wanted.
        var isWaiting = true
        var wake: (@Sendable () -> Void)?
        var reader: CheckedContinuation<Void, Never>?
    }

    /// The maximum number of bytes of the content.
    package let maximumBytes: Int
    private let state = Mutex(State())

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Returns the next piece, when it has arrived; nil at the end.
    package func next() async throws(Failure) -> [UInt8]? {
        while true {
            let (piece, end, wake) = state.withLock { state in
                let piece = state.pieces.popFirst()
                state.size -= piece?.count ?? 0
                return (piece, state.end, Self.wake(&state))
            }
            wake?()
            if let piece { return piece }
            switch end {
            case .complete: return nil
            case .failed(let failure): throw failure
            case nil: await wait()
            }
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let hasChanged = state.withLock { state in
                guard state.pieces.isEmpty, state.end == nil else { return true }
                state.reader = continuation
                return false
            }
            if hasChanged { continuation.resume() }
        }
    }

    /// The function that lets a waiting connection continue, when there is space.
    private static func wake(_ state: inout State) -> (@Sendable () -> Void)? {
        guard state.isWaiting, state.size < limit else { return nil }
        state.isWaiting = false
        return state.wake
    }
}

/// The side of the server.
extension HTTPInput {
    /// Sets the function that is called when a waiting connection may continue.
    func attach(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Adds a piece; false when it has to wait for the reader.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (isAdded, reader) = state.withLock {
            state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.isDiscarded, state.end == nil else { return (true, nil) }
            guard state.size == 0 || state.size + bytes.count <= Self.limit else {
                state.isWaiting = true
                return (false, nil)
            }
            state.received += bytes.count
            guard state.received <= maximumBytes else {
                return (true, Self.end(&state, .failed(.tooLong)))
            }
            state.pieces.append(Array(bytes))
            state.size += bytes.count
            return (true, Self.takeReader(&state))
        }
        reader?.resume()
        return isAdded
    }

    /// Ends the content: all has arrived.
    func finish() { end(.complete) }

    /// Ends the content before it has arrived; without effect after its end.
    func close() { end(.failed(.closed)) }

    /// Drops what waits and what follows: the request is answered.
    func discard() {
        state.withLock { state in
            state.isDiscarded = true
            state.pieces = []
            state.size = 0
        }
    }

    private func end(_ end: End) {
        state.withLock { Self.end(&$0, end) }?.resume()
    }

    private static func end(
        _ state: inout State, _ end: End
    ) -> CheckedContinuation<Void, Never>? {
        if state.end == nil { state.end = end }
        return takeReader(&state)
    }

    private static func takeReader(
        _ state: inout State
    ) -> CheckedContinuation<Void, Never>? {
        defer { state.reader = nil }
        return state.reader
    }
}
