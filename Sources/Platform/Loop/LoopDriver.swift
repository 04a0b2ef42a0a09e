package import Glibc

/// The adapter between an ``EventLoop`` and a C library with its own descriptors and timeouts.
///
/// It is created, used and released on the loop's thread.
package protocol LoopDriver {
    /// Whether no operation is in progress; a stopping loop ends only then.
    var isIdle: Bool { get }

    /// Does the work that needs no waiting, or a part of it.
    ///
    /// - Returns: Whether there may be more work to do immediately.
    func process() -> Bool

    /// What to wait for; called before every wait.
    func nextWait() -> LoopWait

    /// The descriptors of ``nextWait()``, with what has happened to them.
    func noteReady(_ descriptors: ArraySlice<pollfd>)

    /// Waits with the library's own function, when ``nextWait()`` returned ``LoopWait/byDriver``.
    ///
    /// - Parameters:
    ///   - wakeUp: A descriptor that ends the wait as soon as it is readable.
    ///   - mayBlock: Whether to wait, or only to poll.
    /// - Returns: Whether the descriptor is readable.
    func wait(for wakeUp: Int32, mayBlock: Bool) -> Bool
}

extension LoopDriver {
    /// The default for a driver whose library looks itself.
    package func noteReady(_ descriptors: ArraySlice<pollfd>) {}

    /// The default for a driver that never waits itself.
    package func wait(for wakeUp: Int32, mayBlock: Bool) -> Bool { false }
}

/// The next wait of a ``LoopDriver``.
package enum LoopWait {
    /// Until one of the descriptors is ready or the deadline has passed: a time of
    /// ``SystemTime/monotonicMicroseconds()``, or `.max` for none.
    case descriptors([pollfd], deadline: UInt64)
    /// The driver waits itself, see ``LoopDriver/wait(for:mayBlock:)``.
    case byDriver

    /// Only the loop's own wake-up.
    package static let wakeUpOnly = LoopWait.descriptors([], deadline: .max)
}
