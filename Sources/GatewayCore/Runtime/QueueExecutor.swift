public import Dispatch

/// Runs an actor on one serial dispatch queue of its own.
///
/// An actor that owns a blocking or callback C library uses one, so that no thread of the
/// cooperative pool ever blocks and the library's callbacks already run where the actor does.
public final class QueueExecutor: SerialExecutor {
    /// The queue.
    ///
    /// A dispatch source of the actor's is made on it.
    public let queue: DispatchQueue

    /// Makes a queue with this label.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs a job of the actor on the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the program when the caller is not on the queue.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
