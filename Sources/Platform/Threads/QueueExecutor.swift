/// Runs an actor on one queue with one thread of its own.
///
/// An actor that owns a blocking or callback C library uses one, so that no thread of the others ever
/// blocks and the library's callbacks already run where the actor does.
public final class QueueExecutor: SerialExecutor {
    private let label: String
    private let thread: WorkThreads

    /// Makes a queue; the thread gets the first 15 bytes of its label for a name.
    public init(label: String) {
        self.label = label
        thread = WorkThreads(name: label, count: 1)
    }

    /// Runs a job of the actor on the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the program when the caller is not on the queue.
    public func checkIsolated() {
        precondition(thread.isCurrent, "this must run on the queue `\(label)`")
    }
}
