import CFileLocks
import Glibc
import Synchronization

/// An exclusive lock on an open file, released when the file is closed.
///
/// It belongs to the open file, so threads of one process exclude each other like processes do, and
/// the kernel releases it however the process ends.
package final class FileLock: Sendable {
    /// The kind of lock; the two kinds do not exclude each other.
    package enum Kind: Sendable {
        /// A lock of flock(2), which also works for a directory.
        case flock
        /// An open file description lock of fcntl(2), for a file opened for writing.
        ///
        /// ``FileLock/isLocked(_:)`` checks it without locking.
        case openFileDescription
    }

    /// The open file.
    package let descriptor: Int32
    private let kind: Kind

    /// Takes ownership of an open descriptor, which is not locked yet, and closes it on release.
    package init(owning descriptor: Int32, _ kind: Kind) {
        self.descriptor = descriptor
        self.kind = kind
    }

    deinit {
        close(descriptor)
    }

    /// Locks the file if it is free; returns whether it did.
    package func tryLock() -> Bool { lock(waiting: false) }

    /// Locks the file; returns false when another open file holds the lock.
    ///
    /// True also where the file system has no locks.
    package func lockUnlessHeld() -> Bool {
        if lock(waiting: false) { return true }
        return errno != EWOULDBLOCK
    }

    /// Locks the file as soon as it is free.
    ///
    /// The wait blocks a thread of its own, so nothing polls.
    ///
    /// - Returns: Whether it is locked; false when the deadline has passed or the task is
    /// cancelled.
    package func lock(until deadline: BootInstant, on clock: any BootClock) async -> Bool {
        if tryLock() { return true }
        let attempt = LockAttempt()
        // The thread retains the file. If the wait has ended, it unlocks a lock that comes too
        // late.
        SystemThread.start(name: "lock") { [self] in
            let isLocked = lock(waiting: true)
            if !attempt.end(isLocked: isLocked), isLocked { unlock() }
        }
        await clock.wait(until: deadline) { await attempt.wait() }
        return attempt.giveUp()
    }

    /// Whether another open file holds the lock of kind ``Kind/openFileDescription``.
    package static func isLocked(_ descriptor: Int32) -> Bool {
        cfilelocks_is_locked(descriptor) != 0
    }

    private func lock(waiting: Bool) -> Bool {
        let result = SystemCall.repeatWhileInterrupted {
            switch kind {
            case .flock: Int(flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB))
            case .openFileDescription: Int(cfilelocks_lock(descriptor, waiting ? 1 : 0))
            }
        }
        return result == 0
    }

    /// Releases the lock before the file is closed.
    package func unlock() {
        switch kind {
        case .flock: flock(descriptor, LOCK_UN)
        case .openFileDescription: cfilelocks_unlock(descriptor)
        }
    }
}

/// The wait of a task for the thread that waits for a lock.
private final class LockAttempt: Sendable {
    private enum Phase { case waiting, ended(isLocked: Bool), givenUp }

    private let phase = Mutex(Phase.waiting)
    private let stream: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (stream, signal) = AsyncStream.makeStream()
    }

    /// Waits until the thread has ended its wait, or the task is cancelled.
    func wait() async {
        for await _ in stream {}
    }

    /// Ends the wait of the thread; returns false when the task no longer waits.
    func end(isLocked: Bool) -> Bool {
        let isWanted = phase.withLock { phase in
            guard case .waiting = phase else { return false }
            phase = .ended(isLocked: isLocked)
            return true
        }
        signal.finish()
        return isWanted
    }

    /// Ends the wait of the task; returns whether the thread has locked the file.
    func giveUp() -> Bool {
        phase.withLock { phase in
            if case .ended(let isLocked) = phase { return isLocked }
            phase = .givenUp
            return false
        }
    }
}
