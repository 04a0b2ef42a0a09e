import CThreads
import Glibc

/// A watch for steps of the wall clock, which wakes up for nothing else.
///
/// Each wait has its own thread, which sleeps in the kernel: waits are rare, and most gateways
/// never need one.
package final class ClockStepWatch: Sendable {
    private let descriptor: Int32

    /// Starts to watch; nil when the system has no descriptor left.
    package init?() {
        descriptor = cthreads_make_step_watch()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the next step, or returns for one since the watch or the last wait started.
    ///
    /// It may return without a step, for example after the machine was suspended.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; the watch cannot be used again
    /// then.
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
