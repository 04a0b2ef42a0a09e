import CThreads
import Glibc

/// A thread of the system whose end can be waited for.
///
/// It sees no signal that is meant for the process: those are for the main thread, whose waits they
/// may interrupt. What it writes to a closed line is an error there, not a signal. A program that is
/// started on it needs a signal mask of its own (posix_spawnattr_setsigmask(3)).
package struct JoinableThread: Sendable {
    /// Why there is no thread: an `errno`.
    package struct Failure: Error {
        package let code: Int32
    }

    /// Signals that report a mistake of the thread itself stay with it.
    private static let ownSignals = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS]

    private let thread: pthread_t

    /// Starts a thread, which must be joined or detached; the kernel keeps the first 15 bytes of its
    /// name.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(Failure) {
        // A new thread inherits the mask of signals that is in force here for the moment.
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

    /// Waits for the end of the thread; it must be called exactly once.
    package func join() {
        // Only the thread itself cannot wait for its own end; then nobody does.
        if pthread_join(thread, nil) != 0 { pthread_detach(thread) }
    }

    /// Lets the thread end by itself; it must be called exactly once, in the place of ``join()``.
    package func detach() {
        pthread_detach(thread)
    }
}

/// What a new thread is given.
private final class ThreadStart {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        cthreads_name_thread(name)
        body()
    }
}

/// The thread's function; it takes over the reference that was made for it.
private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
