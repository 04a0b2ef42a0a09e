/// The threads on which everything runs that has no queue of its own.
///
/// A task that is started with this preference, its child tasks, and the actors without an executor
/// that they call run here. `Task { }` inherits no preference: it would run on Swift's usual
/// executor, which is libdispatch's, and that wakes up once a second from then on, whatever there is
/// to do. So a task is a child of another one, or is made with `Task(executorPreference:)`.
package final class TaskPool: TaskExecutor {
    /// What runs here is short, and waits without a thread; two see that nobody waits for long.
    package static let defaultCount = 2

    private let threads: WorkThreads

    /// Makes a pool of so many threads, which end with it.
    package init(name: String, count: Int = defaultCount) {
        threads = WorkThreads(name: name, count: count)
    }

    /// Runs a job of a task on one of the threads.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
