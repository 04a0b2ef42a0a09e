import Synchronization

/// A turn that one task has at a time; the others wait for it in their order.
package final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Passes the turn on, so that nobody comes between.
        mutating func next() -> CheckedContinuation<Void, Never>? {
            guard waiting.isEmpty else { return waiting.removeFirst() }
            isTaken = false
            return nil
        }
    }

    private let state = Mutex(State())

    /// Makes a turn that nobody has.
    package init() {}

    /// Waits for the turn; ``end()`` must follow.
    package func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                defer { state.isTaken = true }
                if state.isTaken { state.waiting.append(continuation) }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the turn to the next one.
    package func end() {
        state.withLock { $0.next() }?.resume()
    }
}
