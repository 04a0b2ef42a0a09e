import Synchronization

/// Ends a wait early: somebody has mended something, so that it is worth a try now.
final class RetrySignal: Sendable {
    private struct State {
        var isNudged = false
        var waiter: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// Lets the one who waits go on; if nobody does, the next one need not wait.
    func give() {
        state.withLock { state in
            state.isNudged = true
            state.waiter?.finish()
            state.waiter = nil
        }
    }

    /// What was mended up to now counts in the try that begins.
    func forget() {
        state.withLock { $0.isNudged = false }
    }

    /// Waits for a nudge, or until the task is cancelled.
    func wait() async {
        let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if state.isNudged { waiter.finish() } else { state.waiter = waiter }
        }
        for await _ in stream {}
    }
}
