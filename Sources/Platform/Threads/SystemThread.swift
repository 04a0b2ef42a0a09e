import CThreads
import Glibc

/// Starts a thread of the system for something that blocks or that must not share its thread.
package enum SystemThread {
    /// Runs `body` on a new thread, which ends with it.
    ///
    /// The kernel keeps the first 15 bytes of the name, for `ps -T` and `top -H`.
    /// The program stops when the system has no more threads: nothing could run then.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
        do throws(ThreadStart.Failure) {
            pthread_detach(try ThreadStart.begin(name: name, body))
        } catch {
            fatalError(
                "cannot start the thread `\(name)`: \(SystemCall.message(of: error.code))")
        }
    }
}

/// What a new thread is given.
final class ThreadStart {
    /// Why there is no thread: an `errno`.
    struct Failure: Error {
        let code: Int32
    }

    private let name: String
    private let body: @Sendable () -> Void

    private init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    /// Starts a thread, which is to be joined or detached.
    static func begin(
        name: String, _ body: @escaping @Sendable () -> Void
    ) throws(Failure) -> pthread_t {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, threadMain, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw Failure(code: code)
        }
        return thread
    }

    fileprivate func run() {
        cthreads_name_thread(name)
        body()
    }
}

/// The thread's function; it takes over the reference that was made for it.
private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
