public import GatewayCore
public import HealthModel
import Synchronization

/// A sink that stores records in memory, with injected failures.
public final class InMemorySink: Sink {
    /// Decides for each call, counted from 1, whether it fails and how.
    public typealias Failure = @Sendable (_ call: Int, _ batch: [Record]) -> SinkError?

    private struct State {
        var calls = 0
        var records: [Record] = []
    }

    private let state = Mutex(State())
    private let failure: Failure
    private let writes: AsyncStream<Int>.Continuation
    /// The number of stored records, after each successful write.
    public let counts: AsyncStream<Int>

    /// Makes a sink.
    ///
    /// Without `failure` every write succeeds.
    public init(failure: @escaping Failure = { _, _ in nil }) {
        self.failure = failure
        (counts, writes) = AsyncStream.makeStream()
    }

    /// The stored records, in order.
    public var records: [Record] { state.withLock { $0.records } }

    /// The number of calls of `write`.
    public var calls: Int { state.withLock { $0.calls } }

    /// Stores the batch, or fails as injected.
    ///
    /// Rejected records are not stored, the others are.
    public func write(_ batch: [Record]) async throws {
        let call = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        let error = failure(call, batch)
        if let error, case .rejected(let ids, _) = error {
            store(batch.filter { !ids.contains($0.id) })
        } else if error == nil {
            store(batch)
        }
        if let error { throw error }
    }

    private func store(_ batch: [Record]) {
        writes.yield(
            state.withLock { state in
                state.records += batch
                return state.records.count
            })
    }

    /// Waits until at least `count` records are stored.
    public func waitForRecords(_ count: Int) async {
        guard records.count < count else { return }
        for await stored in counts where stored >= count { return }
    }
}
