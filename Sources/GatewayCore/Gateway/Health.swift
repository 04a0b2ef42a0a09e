package import Platform
import Synchronization

/// The health of a retried task: its last failure until it recovers.
package final class Health: Sendable {
    private struct State {
        var failure: String?
        var failingSince: BootInstant?
        /// When it counts as healthy, unless it fails before.
        var recovery: BootInstant?
        var writingSince: BootInstant?
        var nextRetry: BootInstant?

        func isFailing(at now: BootInstant) -> Bool {
            if let recovery, recovery <= now { return false }
            return failure != nil
        }
    }

    private let state = Mutex(State())

    /// Makes the health of a task that has not failed.
    package init() {}

    /// Records a failure.
    func fail(_ reason: String, at now: BootInstant) {
        state.withLock { state in
            if !state.isFailing(at: now) { state.failingSince = now }
            state.failure = reason
            state.recovery = nil
        }
    }

    /// Records a new attempt, which counts as healthy from `moment` on.
    func markHealthy(from moment: BootInstant) {
        state.withLock { $0.recovery = moment }
    }

    /// Clears the failure.
    func recover() {
        state.withLock { state in
            state.failure = nil
            state.failingSince = nil
            state.recovery = nil
            state.nextRetry = nil
        }
    }

    /// Sets the time of the next retry; nil if it is not waiting.
    func wait(until moment: BootInstant?) {
        state.withLock { $0.nextRetry = moment }
    }

    /// The time of the next retry; nil if it is not waiting.
    var nextRetry: BootInstant? { state.withLock { $0.nextRetry } }

    /// Sets the start of the write in progress; nil if there is none.
    func write(since moment: BootInstant?) {
        state.withLock { $0.writingSince = moment }
    }

    /// Returns the failure; nil if healthy.
    package func failure(at now: BootInstant) -> String? {
        state.withLock { $0.isFailing(at: now) ? $0.failure : nil }
    }

    /// Returns the start of the failure; nil if healthy.
    func failingSince(at now: BootInstant) -> BootInstant? {
        state.withLock { $0.isFailing(at: now) ? $0.failingSince : nil }
    }

    /// The start of the write in progress.
    var writingSince: BootInstant? { state.withLock { $0.writingSince } }
}
