import Synchronization

/// What something that is tried again and again last failed with, until it works.
final class Health: Sendable {
    private struct State {
        var failure: String?
        /// When it counts as working, unless it fails before.
        var recovery: BootInstant?
    }

    private let state = Mutex(State())

    /// It has failed.
    func fail(_ reason: String) {
        state.withLock { $0 = State(failure: reason) }
    }

    /// It is tried again, and works when it has not failed by this time.
    func works(from moment: BootInstant) {
        state.withLock { $0.recovery = moment }
    }

    /// It works.
    func recover() {
        state.withLock { $0 = State() }
    }

    /// What it fails with; nil when it works.
    func failure(at now: BootInstant) -> String? {
        state.withLock { state in
            if let recovery = state.recovery, recovery <= now { return nil }
            return state.failure
        }
    }
}
