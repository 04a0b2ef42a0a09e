import CThreads
import Glibc

/// Tells of steps of the wall clock, and wakes up for nothing else.
///
/// Each wait has a thread of its own, which sleeps in the kernel: waits are rare, and most gateways never
/// have one.
package final class StepWatch: Sendable {
    private let descriptor: Int32

    /// Begins to watch; nil when the system has no descriptor left.
    package init?() {
        descriptor = cthreads_make_step_watch()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the next step, or one since the watch or the last wait began.
    ///
    /// It may return without one, after the machine was suspended for example.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; then the watch is of no more use.
    package func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                SystemThread.start(name: "clock") { [self] in
                    cthreads_wait_for_step(descriptor)
                    continuation.resume()
                }
            }
        } onCancel: {
            cthreads_end_step_watch(descriptor)
        }
        try Task.checkCancellation()
    }
}
