import Glibc
import Synchronization

/// A serial executor that runs an actor on the thread that calls it, if that belongs to a pool whose
/// threads may block, and otherwise on a thread of its own.
///
/// A call from such a pool, as the sources and sinks of a gateway have it, costs no switch to another
/// thread and back.
public final class CallerRunsExecutor: SerialExecutor {
    /// The number of jobs that a thread of the pool does at a time.
    private static let jobLimit = 64

    private struct State {
        /// The work that is not done yet, oldest first.
        var work: [WorkerThreads.Work] = []
        /// Whether a thread does the work, or was asked to.
        var isRunning = false
        /// The thread that does the work now.
        var thread: pthread_t?
    }

    private let label: String
    private let own: WorkerThreads
    private let state = Mutex(State())

    /// Makes an executor; its own thread is named after the first 15 bytes of its label.
    public init(label: String) {
        self.label = label
        own = WorkerThreads(name: label, count: 1)
    }

    /// Runs a job of the actor.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Runs work in the actor's place, in order with its jobs.
    package func async(_ work: @escaping @Sendable () -> Void) {
        let mustStart = state.withLock { state in
            state.work.append(work)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        if let queue = PoolWorker.current?.queue, queue.lendsThreads {
            queue.add { self.run(isOwn: false) }
        } else {
            own.async { self.run(isOwn: true) }
        }
    }

    /// Stops the program when the caller is not in the actor.
    public func checkIsolated() {
        let current = pthread_self()
        let isCurrent = state.withLock { state in
            state.thread.map { pthread_equal($0, current) != 0 } ?? false
        }
        precondition(isCurrent, "this must run on the queue `\(label)`")
    }

    /// Does the work until there is none; a thread of the pool leaves a long queue to the own one.
    private func run(isOwn: Bool) {
        var count = 0
        while let work = next() {
            work()
            count += 1
            guard !isOwn, count == Self.jobLimit else { continue }
            return own.async { self.run(isOwn: true) }
        }
    }

    private func next() -> WorkerThreads.Work? {
        let current = pthread_self()
        return state.withLock { state in
            guard !state.work.isEmpty else {
                state.isRunning = false
                state.thread = nil
                return nil
            }
            state.thread = current
            return state.work.removeFirst()
        }
    }
}
