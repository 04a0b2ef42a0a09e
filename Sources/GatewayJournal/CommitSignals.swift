import Synchronization

/// A broadcast signal for commits or cursor changes.
///
/// A listener is removed as soon as it stops: a blocked sink listens again every minute, even when
/// nothing is committed for weeks.
final class CommitSignals: Sendable {
    private struct State {
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastNumber: UInt64 = 0
        var hasEnded = false

        mutating func add(_ listener: AsyncStream<Void>.Continuation) -> UInt64? {
            guard !hasEnded else { return nil }
            lastNumber += 1
            listeners[lastNumber] = listener
            return lastNumber
        }
    }

    private let state = Mutex(State())

    /// The number of listeners.
    var count: Int { state.withLock { $0.listeners.count } }

    /// Returns a stream that yields immediately and after every event; pending events coalesce.
    func listen() -> AsyncStream<Void> {
        let (stream, listener) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        listener.yield()
        if let number = state.withLock({ $0.add(listener) }) {
            listener.onTermination = { [weak self] _ in self?.forget(number) }
        } else {
            listener.finish()
        }
        return stream
    }

    /// Signals an event to all listeners.
    func notify() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Finishes all streams.
    func end() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            return Array(state.listeners.values)
        }
        // Finishing calls `forget`, which takes the lock.
        for listener in listeners { listener.finish() }
    }

    private func forget(_ number: UInt64) {
        state.withLock { $0.listeners[number] = nil }
    }
}
