import Synchronization

/// Tells those who listen that something was committed, or that a sink has come further; who stops
/// listening is forgotten at once.
///
/// A sink that holds listens anew every minute, also while nothing is committed for weeks.
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

    /// How many listen.
    var count: Int { state.withLock { $0.listeners.count } }

    /// A signal at once, after every event, and the end of all; several events at once are one signal.
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

    /// Something has happened.
    func tell() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Nothing will happen any more.
    func end() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            return Array(state.listeners.values)
        }
        // Whoever is told is forgotten, which takes the lock.
        for listener in listeners { listener.finish() }
    }

    private func forget(_ number: UInt64) {
        state.withLock { $0.listeners[number] = nil }
    }
}
