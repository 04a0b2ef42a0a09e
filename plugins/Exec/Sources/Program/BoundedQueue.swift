import Synchronization

/// A queue of limited length for one producer and one consumer, both of which may wait.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        /// The sum of the sizes in the queue and in the consumer's hands.
        var size = 0
        var hasEnded = false
        var producer: CheckedContinuation<Void, Never>?
        var consumer: CheckedContinuation<Void, Never>?

        mutating func removeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { (producer, consumer) = (nil, nil) }
            return [producer, consumer].compactMap { $0 }
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends an element; waits before while the queue is full.
    func append(_ element: Element, size: Int) async {
        while !state.withLock({ $0.size < limit || $0.hasEnded || Task.isCancelled }) {
            await wait(until: { $0.size < self.limit }, as: { $0.producer = $1 })
        }
        let waiter = state.withLock { state in
            state.elements.append(element)
            state.size += size
            defer { state.consumer = nil }
            return state.consumer
        }
        waiter?.resume()
    }

    /// Removes all elements; waits for one, and returns none at the end.
    func removeAll() async -> [Element] {
        while state.withLock({ $0.elements.isEmpty && !$0.hasEnded && !Task.isCancelled }) {
            await wait(until: { !$0.elements.isEmpty }, as: { $0.consumer = $1 })
        }
        return state.withLock { state in
            defer { state.elements = [] }
            return state.elements
        }
    }

    /// Notes that the consumer has finished elements of this size.
    func release(_ size: Int) {
        let waiter = state.withLock { state in
            state.size -= size
            guard state.size < limit else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.producer = nil }
            return state.producer
        }
        waiter?.resume()
    }

    /// Ends the queue: nobody waits any more.
    func finish() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            return state.removeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    private func wait(
        until isReady: (State) -> Bool,
        as enter: (inout State, CheckedContinuation<Void, Never>) -> Void
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if isReady(state) || state.hasEnded || Task.isCancelled { return true }
                    enter(&state, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { $0.removeWaiters() }
            for waiter in waiters { waiter.resume() }
        }
    }
}
