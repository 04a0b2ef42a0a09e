import GatewayCore
import Glibc

/// A simple way to pass batches to threads: a ring buffer, a mutex and two condition variables.
///
/// Every reader gets every batch; the writer waits for the slowest.
final class BatchRing: @unchecked Sendable {
    // Sendable because all mutable state is accessed with `mutex` held, and the pointers to the
    // mutex and the conditions are constant.
    private static let size = 64

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let emptied = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var slots = [RecordBatch?](repeating: nil, count: size)
    private var written = 0
    private var read: [Int]
    private var isClosed = false

    init(readers: Int) {
        read = [Int](repeating: 0, count: readers)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(filled, nil)
        pthread_cond_init(emptied, nil)
    }

    deinit {
        pthread_cond_destroy(emptied)
        pthread_cond_destroy(filled)
        pthread_mutex_destroy(mutex)
        emptied.deallocate()
        filled.deallocate()
        mutex.deallocate()
    }

    func write(_ batch: RecordBatch) {
        pthread_mutex_lock(mutex)
        while written - (read.min() ?? written) >= Self.size { pthread_cond_wait(emptied, mutex) }
        slots[written % Self.size] = batch
        written += 1
        pthread_cond_broadcast(filled)
        pthread_mutex_unlock(mutex)
    }

    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(filled)
        pthread_mutex_unlock(mutex)
    }

    /// The reader's next batch; nil at the end.
    func next(for reader: Int) -> RecordBatch? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while read[reader] == written, !isClosed { pthread_cond_wait(filled, mutex) }
        guard read[reader] < written else { return nil }
        let batch = slots[read[reader] % Self.size]
        read[reader] += 1
        pthread_cond_signal(emptied)
        return batch
    }
}
