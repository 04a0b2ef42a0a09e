import Synchronization

/// A signal for one waiting reader; one that is sent before the wait ends it at once.
package final class ReaderSignal: Sendable {
    private struct State {
        var isSent = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Makes a signal that was not sent.
    package init() {}

    /// Whether a reader waits.
    package var isWaiting: Bool { state.withLock { $0.waiter != nil } }

    /// Ends the wait of the reader, or else its next one.
    package func send() {
        state.withLock { state in
            state.isSent = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }?.resume()
    }

    /// Waits for the signal or the cancellation of the task.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumed = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    // A cancellation from here on finds the waiter.
                    let isOver = state.isSent || Task.isCancelled
                    state.isSent = false
                    if isOver { return continuation }
                    defer { state.waiter = continuation }
                    return state.waiter
                }
                resumed?.resume()
            }
        } onCancel: {
            send()
        }
    }
}
