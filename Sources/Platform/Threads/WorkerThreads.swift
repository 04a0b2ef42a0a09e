/// A pool of threads that share one first-in, first-out queue; with one thread, work runs in order.
///
/// The threads sleep while the queue is empty. Libdispatch queues do that too, but on Linux, once
/// one was used, libdispatch wakes up every second as long as the process lives, which costs a
/// small machine power.
package final class WorkerThreads: Sendable {
    package typealias Work = @Sendable () -> Void

    private let queue: WorkQueue
    private let name: String

    /// Starts the threads; they end with this object, after the remaining work.
    package convenience init(name: String, count: Int) {
        self.init(name: name, count: count, queue: WorkQueue(Semaphore()))
    }

    /// Starts the threads of a queue.
    init(name: String, count: Int, queue: WorkQueue) {
        self.queue = queue
        self.name = name
        for _ in 0..<count { startThread() }
    }

    private func startThread() {
        queue.enter()
        SystemThread.start(name: name) { [queue] in PoolWorker.run(queue) }
    }

    /// Adds a thread, in place of one that does not return from its work.
    package func addThread() {
        startThread()
    }

    /// Removes a thread as soon as one has nothing to do.
    package func removeThread() {
        queue.endOneThread()
    }

    deinit {
        queue.end()
    }

    /// Runs work on one of the threads.
    package func async(_ work: @escaping Work) {
        queue.add(work)
    }

    /// Whether the caller runs on one of these threads.
    var isCurrent: Bool { PoolWorker.current?.queue === queue }
}
