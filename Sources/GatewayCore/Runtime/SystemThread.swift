import CThreads
import Glibc

/// Starts a thread of the system for something that blocks or that must not share its thread.
package enum SystemThread {
    /// What a new thread is given.
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            cthreads_name_thread(name)
            body()
        }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// The kernel keeps the first 15 bytes of the name, for `ps -T` and `top -H`.
    /// The program stops when the system has no more threads: nothing could run then.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, systemThreadMain, start.toOpaque())
        guard code == 0 else {
            fatalError("cannot start the thread `\(name)`: \(SystemCall.message(of: code))")
        }
        pthread_detach(thread)
    }

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run()
    }
}

/// The thread's function; it takes over the reference that was made for it.
private func systemThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { SystemThread.run(context) }
    return nil
}
