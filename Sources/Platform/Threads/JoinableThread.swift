import CCallMarks
import CThreads
import Glibc

/// A system thread that can be joined.
///
/// It blocks signals sent to the process: the main thread handles those, as they may interrupt its
/// waits. A write to a closed pipe returns an error here instead of raising a signal. A program
/// started from this thread needs its own signal mask (posix_spawnattr_setsigmask(3)).
package struct JoinableThread: Sendable {
    /// The `errno` of a thread that cannot be started.
    package struct Failure: Error {
        package let code: Int32
    }

    /// Signals for faults of the thread itself, which stay unblocked.
    private static let ownSignals = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS]

    private let thread: pthread_t

    /// Starts a thread, which must be joined or detached; the kernel stores the first 15 bytes of
    /// its name.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(Failure) {
        // A new thread inherits the signal mask of the calling thread.
        var blocked = sigset_t()
        var previous = sigset_t()
        sigfillset(&blocked)
        for signal in Self.ownSignals { sigdelset(&blocked, signal) }
        pthread_sigmask(SIG_SETMASK, &blocked, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, threadMain, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw Failure(code: code)
        }
        self.thread = thread
    }

    /// Waits until the thread has ended; call it exactly once.
    package func join() {
        // Joining fails only on the thread itself; detach it then.
        if pthread_join(thread, nil) != 0 { pthread_detach(thread) }
    }

    /// Detaches the thread; call it exactly once, instead of ``join()``.
    package func detach() {
        pthread_detach(thread)
    }
}

/// The name and the body of a new thread.
private final class ThreadStart {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        cthreads_name_thread(name)
        let signalStack = ccallmarks_add_signal_stack()
        body()
        ccallmarks_remove_signal_stack(signalStack)
    }
}

/// The start routine of the thread; it consumes the reference in `context`.
private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
