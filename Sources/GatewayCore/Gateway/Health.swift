import Platform
import Synchronization

/// What something that is tried again and again last failed with, until it works.
final class Health: Sendable {
    private struct State {
        var failure: String?
        var failingSince: BootInstant?
        /// When it counts as working, unless it fails before.
        var recovery: BootInstant?
        var writingSince: BootInstant?
        var nextTry: BootInstant?

        func isFailing(at now: BootInstant) -> Bool {
            if let recovery, recovery <= now { return false }
            return failure != nil
        }
    }

    private let state = Mutex(State())

    /// It has failed.
    func fail(_ reason: String, at now: BootInstant) {
        state.withLock { state in
            if !state.isFailing(at: now) { state.failingSince = now }
            state.failure = reason
            state.recovery = nil
        }
    }

    /// It is tried again, and works when it has not failed by this time.
    func works(from moment: BootInstant) {
        state.withLock { $0.recovery = moment }
    }

    /// It works.
    func recover() {
        state.withLock { state in
            state.failure = nil
            state.failingSince = nil
            state.recovery = nil
            state.nextTry = nil
        }
    }

    /// It waits until then before it is tried again, or tries again when that is nil.
    func wait(until moment: BootInstant?) {
        state.withLock { $0.nextTry = moment }
    }

    /// When it is tried again; nil when it is not waiting for that.
    var nextTry: BootInstant? { state.withLock { $0.nextTry } }

    /// A write has begun, or is over.
    func write(since moment: BootInstant?) {
        state.withLock { $0.writingSince = moment }
    }

    /// What it fails with; nil when it works.
    func failure(at now: BootInstant) -> String? {
        state.withLock { $0.isFailing(at: now) ? $0.failure : nil }
    }

    /// Since when it fails; nil when it works.
    func failingSince(at now: BootInstant) -> BootInstant? {
        state.withLock { $0.isFailing(at: now) ? $0.failingSince : nil }
    }

    /// When the write began that is under way.
    var writingSince: BootInstant? { state.withLock { $0.writingSince } }
}
