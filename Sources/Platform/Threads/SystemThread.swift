/// Starts a thread of the system for something that blocks or that must not share its thread.
package enum SystemThread {
    /// Runs `body` on a new thread, which ends with it and sees no signals, see ``JoinableThread``.
    ///
    /// The kernel keeps the first 15 bytes of the name, for `ps -T` and `top -H`.
    /// The program stops when the system has no more threads: nothing could run then.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
        do throws(JoinableThread.Failure) {
            try JoinableThread(name: name, body).detach()
        } catch {
            fatalError(
                "cannot start the thread `\(name)`: \(SystemCall.message(of: error.code))")
        }
    }
}
