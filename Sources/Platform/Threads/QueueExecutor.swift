/// A serial executor that runs an actor on its own thread.
///
/// An actor that owns a blocking or callback-based C library uses one, so that no other thread
/// blocks and the library's callbacks run on the actor's thread.
public final class QueueExecutor: SerialExecutor {
    private let label: String
    private let thread: WorkerThreads

    /// Makes a queue; the thread is named after the first 15 bytes of its label.
    public init(label: String) {
        self.label = label
        thread = WorkerThreads(name: label, count: 1)
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
