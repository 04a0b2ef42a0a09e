import Dispatch

/// Runs the jobs of one actor on a serial dispatch queue of its own.
///
/// An actor that calls a blocking library (SQLite, libudev) takes one as its executor, so that it
/// never holds a thread of the shared pool. Linux has no `DispatchSerialQueue`, which would be one.
public final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes the queue; the label names its thread in a debugger.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs the job after those that came before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Traps when the caller is not on the queue.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
