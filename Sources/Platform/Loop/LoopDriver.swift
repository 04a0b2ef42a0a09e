package import Glibc

/// A C library with descriptors and time limits of its own, as an ``EventLoop`` runs it.
///
/// It is made, used and released on the loop's thread.
package protocol LoopDriver {
    /// Whether nothing is under way: a loop that stops ends only then.
    var isIdle: Bool { get }

    /// Does all that can be done without waiting, or a share of it.
    ///
    /// - Returns: Whether there may be more to do at once.
    func process() -> Bool

    /// What to wait for; it is asked anew before every wait.
    func nextWait() -> LoopWait

    /// Waits in the library's own way, when ``nextWait()`` was ``LoopWait/byDriver``.
    ///
    /// - Parameters:
    ///   - wakeUp: A descriptor that ends the wait as soon as it can be read.
    ///   - mayBlock: Whether to wait at all, or only to look.
    /// - Returns: Whether the descriptor can be read.
    func wait(for wakeUp: Int32, mayBlock: Bool) -> Bool
}

extension LoopDriver {
    /// A driver that never waits by itself.
    package func wait(for wakeUp: Int32, mayBlock: Bool) -> Bool { false }
}

/// What a ``LoopDriver`` waits for.
package enum LoopWait {
    /// One of the descriptors is ready, or the deadline has passed: a time of
    /// ``SystemTime/monotonicMicroseconds()``, or `.max` for none.
    case descriptors([pollfd], deadline: UInt64)
    /// The driver waits itself, see ``LoopDriver/wait(for:mayBlock:)``.
    case byDriver

    /// Nothing but the loop's own wake-up.
    package static let wakeUpOnly = LoopWait.descriptors([], deadline: .max)
}
