import Synchronization

/// A flag that a test sets and something else reads.
final class LockedFlag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
