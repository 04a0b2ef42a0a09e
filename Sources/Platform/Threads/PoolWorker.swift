import CThreads

/// A thread of a pool, as it knows itself; only that thread uses it.
final class PoolWorker {
    let queue: WorkQueue
    /// The pieces of work since the thread slept; a thread with much work leaves some to others.
    private(set) var workCount = 0

    private init(_ queue: WorkQueue) { self.queue = queue }

    /// The caller, if it is a thread of a pool.
    static var current: PoolWorker? {
        // The pointer is of this thread alone, and is set only while `run(_:)` holds the object.
        cthreads_pool_worker().map {
            Unmanaged<PoolWorker>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Does the work of a queue on the present thread until the queue ends.
    static func run(_ queue: WorkQueue) {
        let worker = PoolWorker(queue)
        withExtendedLifetime(worker) {
            cthreads_set_pool_worker(Unmanaged.passUnretained(worker).toOpaque())
            worker.work()
            cthreads_set_pool_worker(nil)
        }
    }

    private func work() {
        while let step = queue.nextStep() {
            switch step {
            case .work(let work):
                workCount += 1
                work()
            case .sleep:
                workCount = 0
                queue.sleep()
            }
        }
    }
}
