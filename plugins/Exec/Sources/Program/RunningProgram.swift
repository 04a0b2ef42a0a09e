import Glibc
import Platform
import Synchronization

/// The process of a program, if one runs, for whoever has to end it.
final class RunningProgram: Sendable {
    private let child = Mutex<ChildProcess?>(nil)

    /// Notes a process that was started, or nil when it has ended.
    func set(_ child: ChildProcess?) { self.child.withLock { $0 = child } }

    /// Kills the process and what it has started.
    func kill() { child.withLock { $0 }?.send(SIGKILL) }
}
