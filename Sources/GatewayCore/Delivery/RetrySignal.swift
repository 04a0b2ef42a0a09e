import Synchronization

/// A signal that ends a wait before a retry because a problem may be fixed.
final class RetrySignal: Sendable {
    private struct State {
        var isSignalled = false
        var waiter: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// Ends the current wait, or else the next one.
    func send() {
        state.withLock { state in
            state.isSignalled = true
            state.waiter?.finish()
            state.waiter = nil
        }
    }

    /// Clears the signal when an attempt starts.
    func clear() {
        state.withLock { $0.isSignalled = false }
    }

    /// Waits for the signal or the cancellation of the task.
    func wait() async {
        let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if state.isSignalled { waiter.finish() } else { state.waiter = waiter }
        }
        for await _ in stream {}
    }
}
