/// The thread pool for all tasks and actors without an executor of their own.
///
/// A task started with this preference, its child tasks, and the actors without an executor that
/// they call run here. `Task { }` inherits no preference: it would run on Swift's default executor,
/// libdispatch, which then wakes up once a second even when idle. So start a task as a child of
/// another one, or with `Task(executorPreference:)`.
package final class TaskPool: TaskExecutor {
    /// Jobs here are short and suspend instead of blocking, so two threads are enough.
    package static let defaultCount = 2

    let threads: WorkerThreads

    /// Makes a pool with a number of threads, which end with it.
    package init(name: String, count: Int = defaultCount) {
        threads = WorkerThreads(name: name, count: count)
    }

    /// Makes a pool for code that may block, whose idle threads wait for the descriptors of a poller.
    ///
    /// What arrives is handled by the thread that it wakes, and not by a second one; and actors with
    /// a ``CallerRunsExecutor`` run on these threads when they call. The poller keeps a thread of its
    /// own that it has started before; only one pool at a time has it.
    package init(name: String, count: Int, serving poller: DescriptorPoller) {
        let queue =
            (try? poller.madeLoop())?.attend() ?? WorkQueue(Semaphore(), lendsThreads: true)
        threads = WorkerThreads(name: name, count: count, queue: queue)
    }

    /// Adds a thread, in place of one whose job does not return.
    package func addThread() { threads.addThread() }

    /// Removes a thread as soon as one has nothing to do.
    package func removeThread() { threads.removeThread() }

    /// Runs a job of a task on one of the threads.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
