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
    }

    private struct State {
        var faults: [ItemFault] = []
        var outcome: Outcome?
        var waiters: [CheckedContinuation<Outcome, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes the receipt of a report.
    package init() {}

    /// Waits for the outcome.
    ///
    /// It comes with the next commit, and at the latest when the journal is closed.
    package func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiters.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// Notes the faults of a conversion.
    func note(_ faults: [ItemFault]) {
        state.withLock { $0.faults += faults }
    }

    /// Notes a commit.
    func commit() { end { .committed($0.faults) } }

    /// Notes that the records were discarded.
    func lose() { end { _ in .lost } }

    private func end(_ outcome: (State) -> Outcome) {
        let (result, waiters) = state.withLock { state in
            let result = state.outcome ?? outcome(state)
            defer { state.waiters = [] }
            state.outcome = result
            return (result, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}
