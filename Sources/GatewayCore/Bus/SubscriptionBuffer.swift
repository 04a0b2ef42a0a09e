public import HealthModel
import Platform
import Synchronization

/// A bounded queue of all records of the live lane for one reader.
///
/// A publisher never waits for the reader. When the queue is full, the oldest batches are dropped
/// and replaced by a gap, so that a slow reader catches up.
public final class SubscriptionBuffer: Sendable {
    /// The default limit in records: some minutes of twenty straps.
    public static let defaultLimit = 10_000

    /// An element of the queue.
    public enum Delivery: Hashable, Sendable {
        /// Records that were published together.
        case records([Record])
        /// A gap of dropped records.
        case gap(missed: Int)
    }

    fileprivate struct State {
        /// The batches; those before `first` have been read.
        var batches: [[Record]] = []
        var first = 0
        /// The number of records in the batches.
        var count = 0
        /// The number of records dropped before the first batch.
        var missed = 0
        /// The number of waiting records that wakes the reader.
        var wakeCount = 1
        var isFinished = false
    }

    private let limit: Int
    private let state = Mutex(State())
    private let signal = ReaderSignal()

    init(limit: Int) {
        self.limit = limit
    }

    /// Waits for the next element; nil if the subscription or the task is cancelled.
    ///
    /// Only one reader is allowed at a time.
    public func next() async -> Delivery? {
        while await wait() {
            if let delivery = take() { return delivery }
        }
        return nil
    }

    /// Whether the reader has read all that wakes it, and waits for more.
    var isDrained: Bool { state.withLock { !$0.isDue && signal.isWaiting } }

    /// Appends a batch of records.
    func offer(_ records: [Record]) {
        guard !records.isEmpty else { return }
        let isDue = state.withLock { state in
            if !state.isFinished { state.append(records, limit: limit) }
            return state.isDue
        }
        if isDue { signal.send() }
    }

    /// Drops the batches, and as many records as were never queued.
    func drop(_ count: Int) {
        state.withLock { state in
            if !state.isFinished { state.dropAll(and: count) }
        }
        signal.send()
    }

    func finish() {
        state.withLock { $0 = State(isFinished: true) }
        signal.send()
    }
}

/// For a reader that has time: it is not woken for each record.
extension SubscriptionBuffer {
    /// Waits until there is an element, and as many records as wake the reader; false if the subscription or
    /// the task is cancelled.
    package func wait() async -> Bool {
        while !Task.isCancelled {
            let (isDue, isFinished) = state.withLock { ($0.isDue, $0.isFinished) }
            if isFinished { return false }
            if isDue { return true }
            await signal.wait()
        }
        return false
    }

    /// Returns the next element without waiting; nil when there is none.
    package func take() -> Delivery? { state.withLock { $0.fetch() } }

    /// Sets how many waiting records wake the reader; a gap always does.
    ///
    /// Half of the limit or less, so that no record is dropped before the reader is woken.
    package func wakeReader(with count: Int) {
        state.withLock { $0.wakeCount = count }
        signal.send()
    }
}

extension SubscriptionBuffer.State {
    /// The number of read batches at which the array is compacted.
    private static let compactionThreshold = 1_024

    /// Whether the reader is woken for what waits.
    var isDue: Bool { count >= wakeCount || missed > 0 }

    /// Adds a batch and drops the oldest ones above the limit.
    mutating func append(_ records: [Record], limit: Int) {
        batches.append(records)
        count += records.count
        while count > limit, first < batches.count - 1 { missed += removeFirst().count }
    }

    mutating func dropAll(and count: Int) {
        while first < batches.count { missed += removeFirst().count }
        missed += count
    }

    mutating func fetch() -> SubscriptionBuffer.Delivery? {
        if missed > 0 {
            defer { missed = 0 }
            return .gap(missed: missed)
        }
        return first < batches.count ? .records(removeFirst()) : nil
    }

    private mutating func removeFirst() -> [Record] {
        let batch = batches[first]
        batches[first] = []
        first += 1
        count -= batch.count
        // Moves each batch at most once per removed one.
        if first == batches.count
            || (first >= Self.compactionThreshold && first * 2 >= batches.count)
        {
            batches.removeFirst(first)
            first = 0
        }
        return batch
    }
}
