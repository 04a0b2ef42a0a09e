import Glibc
import Synchronization

/// A thread that starts a program and lives as long as the program may run.
///
/// The kernel kills the program when this thread ends: then the gateway has been killed, or has no
/// more use for the program. A thread of a pool would not do, as it may end before the program.
final class ParentThread: Sendable {
    /// What the thread and its owner share: the thread must not keep its owner.
    private final class Link: Sendable {
        let result = Mutex<Result<pid_t, ChildProcessError>?>(nil)
        let hasStarted = Semaphore()
        let isReleased = Semaphore()
    }

    private let link = Link()

    /// Starts the thread, which calls `start`, and waits until the program is started.
    ///
    /// - Returns: The thread and the number of the process.
    static func start(
        _ start: @escaping @Sendable () throws(ChildProcessError) -> pid_t
    ) throws(ChildProcessError) -> (thread: ParentThread, process: pid_t) {
        let parent = ParentThread()
        let link = parent.link
        do throws(JoinableThread.Failure) {
            try JoinableThread(name: "program") {
                let result = Result(catching: start)
                link.result.withLock { $0 = result }
                link.hasStarted.signal()
                link.isReleased.wait()
            }.detach()
        } catch {
            throw ChildProcessError("pthread_create", code: error.code)
        }
        link.hasStarted.wait()
        guard let result = link.result.withLock({ $0 }) else {
            throw ChildProcessError("start", code: ECHILD)
        }
        return (parent, try result.get())
    }

    deinit { link.isReleased.signal() }
}
