package import Readings
import Synchronization

/// Follows a report until its records are committed to the journal.
///
/// It is for a source that acknowledges what it has received. The pipeline passes it on with the
/// records; whoever has them last decides the outcome.
package final class ReportReceipt: Sendable {
    /// What became of a report.
    package enum Outcome: Sendable, Equatable {
        /// Its records are committed, except those of the readings or records with these faults.
        case committed([ItemFault])
        /// Its records were discarded before a commit: the source may send them again.
        case lost
    }

    /// A reading or record that became no record.
    package struct ItemFault: Sendable, Equatable {
        /// Its index in the report.
        package let index: Int
        /// The reason.
        package let fault: ReadingFault

        /// Describes a reading or record.
        package init(index: Int, fault: ReadingFault) {
            self.index = index
            self.fault = fault
        }
    }

    private struct State {
        var faults: [ItemFault] = []
        var outcome: Outcome?
        var waiters: [UInt64: CheckedContinuation<Outcome, any Error>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Makes the receipt of a report.
    package init() {}

    /// Waits for the outcome.
    ///
    /// It comes with the next commit, and at the latest when the journal is closed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    package func outcome() async throws -> Outcome {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Outcome, any Error>? = state.withLock { state in
                    if let outcome = state.outcome { return .success(outcome) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[waiter] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLock { $0.waiters.removeValue(forKey: waiter) }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Notes the faults of a conversion.
    package func note(_ faults: [ItemFault]) {
        state.withLock { $0.faults += faults }
    }

    /// Notes a commit.
    package func commit() { end { .committed($0.faults) } }

    /// Notes that the records were discarded.
    package func lose() { end { _ in .lost } }

    private func end(_ outcome: (State) -> Outcome) {
        let (result, waiters) = state.withLock { state in
            let result = state.outcome ?? outcome(state)
            defer { state.waiters = [:] }
            state.outcome = result
            return (result, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}
