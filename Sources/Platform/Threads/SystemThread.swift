import Glibc

/// Starts a detached system thread for work that blocks or must not share its thread.
package enum SystemThread {
    /// Runs `body` on a new thread, which blocks signals, see ``JoinableThread``.
    ///
    /// The kernel stores the first 15 bytes of the name, for `ps -T` and `top -H`.
    /// The program ends with a message and status 1 when the system cannot start a thread, as
    /// nothing could run then.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
        do throws(JoinableThread.Failure) {
            try JoinableThread(name: name, body).detach()
        } catch {
            end(of: name, error.code)
        }
    }

    private static func end(of name: String, _ code: Int32) -> Never {
        SystemCall.endProcess(
            "cannot start the thread `\(name)`: \(SystemCall.message(of: code)); "
                + "raise the limit of processes (`ulimit -u`, TasksMax) or stop other programs")
    }
}
