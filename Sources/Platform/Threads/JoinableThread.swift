import Glibc

/// A thread of the system whose end can be waited for.
///
/// It sees no signal that is meant for the process: those are for the main thread, whose waits they
/// may interrupt. What it writes to a closed line is an error there, not a signal.
package struct JoinableThread: Sendable {
    /// Why there is no thread: an `errno`.
    package struct Failure: Error {
        package let code: Int32
    }

    /// Signals that report a mistake of the thread itself stay with it.
    private static let ownSignals = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS]

    private let thread: pthread_t

    /// Starts a thread; the kernel keeps the first 15 bytes of its name.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(Failure) {
        // A new thread inherits the mask of signals that is in force here for the moment.
        var blocked = sigset_t()
        var previous = sigset_t()
        sigfillset(&blocked)
        for signal in Self.ownSignals { sigdelset(&blocked, signal) }
        pthread_sigmask(SIG_SETMASK, &blocked, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        do throws(ThreadStart.Failure) {
            thread = try ThreadStart.begin(name: name, body)
        } catch {
            throw Failure(code: error.code)
        }
    }

    /// Waits for the end of the thread; it must be called exactly once.
    package func join() {
        // Only the thread itself cannot wait for its own end; then nobody does.
        if pthread_join(thread, nil) != 0 { pthread_detach(thread) }
    }
}
