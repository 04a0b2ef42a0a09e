public import GatewayCore
public import HealthModel
import Synchronization

/// A sink that keeps what it is given, and fails when a test wants it to.
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
    /// The number of records kept so far, after each write that worked.
    public let counts: AsyncStream<Int>

    /// Makes a sink.
    ///
    /// Without `failure` every write works.
    public init(failure: @escaping Failure = { _, _ in nil }) {
        self.failure = failure
        (counts, writes) = AsyncStream.makeStream()
    }

    /// What was written, in order.
    public var records: [Record] { state.withLock { $0.records } }

    /// How often `write` was called.
    public var calls: Int { state.withLock { $0.calls } }

    /// Keeps the batch, or fails as the test wants.
    ///
    /// Records refused are not kept, the others are.
    public func write(_ batch: [Record]) async throws {
        let call = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        let error = failure(call, batch)
        if let error, case .rejected(let ids, _) = error {
            keep(batch.filter { !ids.contains($0.id) })
        } else if error == nil {
            keep(batch)
        }
        if let error { throw error }
    }

    private func keep(_ batch: [Record]) {
        writes.yield(
            state.withLock { state in
                state.records += batch
                return state.records.count
            })
    }

    /// Returns as soon as at least so many records are kept.
    public func waitForRecords(_ count: Int) async {
        guard records.count < count else { return }
        for await kept in counts where kept >= count { return }
    }
}
