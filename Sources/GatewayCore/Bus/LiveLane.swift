public import HealthModel
import Platform
import Synchronization

/// A publisher of live records for displays, taps and dashboards.
///
/// The lane never waits and has no history. There are three kinds of subscription:
/// ``LatestSubscription`` has the newest record and the count of every device and type,
/// ``SubscriptionBuffer`` is a bounded queue of all records with marked gaps, and
/// ``CallbackSubscription`` calls a function for every batch.
public final class LiveLane: Sendable {
    private struct Subscribers {
        var latest: [LatestSubscription] = []
        var queues: [SubscriptionBuffer] = []
        var every: [CallbackSubscription] = []

        var isEmpty: Bool { latest.isEmpty && queues.isEmpty && every.isEmpty }
    }

    private let subscribers = Mutex(Subscribers())

    /// Makes a lane without subscribers.
    public init() {}

    /// Subscribes to the newest values from now on.
    ///
    /// It lasts until it is cancelled.
    public func subscribe() -> LatestSubscription {
        let subscription = LatestSubscription()
        subscribers.withLock { $0.latest.append(subscription) }
        return subscription
    }

    /// Cancels a subscription; a waiting reader gets nil.
    public func cancel(_ subscription: LatestSubscription) {
        subscribers.withLock { $0.latest.removeAll { $0 === subscription } }
        subscription.finish()
    }

    /// Subscribes to all records from now on with a queue for a slow reader, until it is cancelled.
    ///
    /// - Parameter limit: The maximum number of queued records; at least one batch is queued.
    public func subscribeBuffered(limit: Int = SubscriptionBuffer.defaultLimit)
        -> SubscriptionBuffer
    {
        let queue = SubscriptionBuffer(limit: limit)
        subscribers.withLock { $0.queues.append(queue) }
        return queue
    }

    /// Cancels a subscription; a waiting reader gets nil.
    public func cancel(_ queue: SubscriptionBuffer) {
        subscribers.withLock { $0.queues.removeAll { $0 === queue } }
        queue.finish()
    }

    /// Subscribes to all batches from now on with a callback.
    ///
    /// The callback blocks the publisher, so it must return immediately. It may be called
    /// concurrently.
    package func subscribe(
        toBatches callback: @escaping @Sendable (RecordBatch) -> Void
    ) -> CallbackSubscription {
        let subscription = CallbackSubscription(callback)
        subscribers.withLock { $0.every.append(subscription) }
        return subscription
    }

    /// Cancels a subscription; a call in progress may still follow.
    package func cancel(_ subscription: CallbackSubscription) {
        subscribers.withLock { $0.every.removeAll { $0 === subscription } }
    }

    /// The number of subscriptions that are not cancelled.
    package var subscriptionCount: Int {
        subscribers.withLock { $0.latest.count + $0.queues.count + $0.every.count }
    }

    /// Whether every reader has read all records and waits for more.
    package var isDrained: Bool {
        let subscribers = subscribers.withLock { $0 }
        return subscribers.latest.allSatisfy(\.isDrained)
            && subscribers.queues.allSatisfy(\.isDrained)
    }

    /// Drops what waits in all queues; their readers get a gap that counts `count` more records.
    package func drop(_ count: Int) {
        let subscribers = subscribers.withLock { $0 }
        for queue in subscribers.queues { queue.drop(count) }
    }

    /// Offers records to every subscriber.
    package func offer(_ batch: RecordBatch) {
        let subscribers = subscribers.withLock { $0 }
        guard !subscribers.isEmpty else { return }
        let batch = batch.joined
        for subscriber in subscribers.every { subscriber.handle(batch) }
        for queue in subscribers.queues { queue.offer(batch.records) }
        guard !subscribers.latest.isEmpty else { return }
        let newest = NewestRecords(batch.records)
        for subscriber in subscribers.latest { subscriber.offer(newest) }
    }
}

/// A subscription with a callback for every batch.
package final class CallbackSubscription: Sendable {
    fileprivate let handle: @Sendable (RecordBatch) -> Void

    fileprivate init(_ callback: @escaping @Sendable (RecordBatch) -> Void) {
        handle = callback
    }
}

/// A subscription to the newest record of every device and type.
public final class LatestSubscription: Sendable {
    /// The newest record of one device and type, or of a device's state.
    public struct Entry: Sendable {
        /// The newest record.
        public let record: Record
        /// The number of records since the start of the subscription.
        public let count: Int

        /// Makes an entry.
        public init(record: Record, count: Int) {
            self.record = record
            self.count = count
        }
    }

    private struct State {
        var entries: [StreamKey: Entry] = [:]
        var changed: Set<StreamKey> = []
        var isFinished = false
    }

    private let state = Mutex(State())
    private let signal = ReaderSignal()

    fileprivate var isDrained: Bool {
        state.withLock { $0.changed.isEmpty && signal.isWaiting }
    }

    /// Waits for new entries and returns them; nil if the subscription or the task is cancelled and the
    /// entries until then were returned.
    ///
    /// Only one reader is allowed at a time.
    public func next() async -> [Entry]? {
        while true {
            let (entries, isFinished) = state.withLock { state in
                if Task.isCancelled { state.isFinished = true }
                defer { state.changed.removeAll(keepingCapacity: true) }
                return (state.changed.compactMap { state.entries[$0] }, state.isFinished)
            }
            if !entries.isEmpty { return entries }
            if isFinished { return nil }
            await signal.wait()
        }
    }

    fileprivate func offer(_ newest: NewestRecords) {
        state.withLock { state in
            guard !state.isFinished else { return }
            for (key, entry) in newest.entries {
                let before = state.entries[key]?.count ?? 0
                state.entries[key] = Entry(record: entry.record, count: before + entry.count)
                state.changed.insert(key)
            }
        }
        signal.send()
    }

    fileprivate func finish() {
        state.withLock { $0.isFinished = true }
        signal.send()
    }
}

/// A device and a type; without a type, the device's state.
private struct StreamKey: Hashable {
    let device: String?
    let type: String?
}

/// The newest record and the count of each device and type in a batch, computed once for all
/// subscribers.
private struct NewestRecords {
    /// In the order of their first records.
    let entries: [(key: StreamKey, entry: LatestSubscription.Entry)]

    init(_ records: [Record]) {
        // The index of the newest record of each. A batch is of one device, so there are few.
        var streams: [(place: Int, count: Int)] = []
        for place in records.indices {
            let known = streams.firstIndex { records[$0.place].isOfSameStream(as: records[place]) }
            if let known {
                streams[known] = (place, streams[known].count + 1)
            } else {
                streams.append((place, 1))
            }
        }
        entries = streams.map { place, count in
            let record = records[place]
            let key = StreamKey(device: record.device?.localIdentifier, type: record.typeName)
            return (key, LatestSubscription.Entry(record: record, count: count))
        }
    }
}

extension Record {
    /// Returns whether two records of a batch have the same device and type.
    fileprivate func isOfSameStream(as other: Record) -> Bool {
        switch (self, other) {
        case (.sample(let sample), .sample(let other)):
            sample.type == other.type && sample.device == other.device
        case (.category(let sample), .category(let other)):
            sample.type == other.type && sample.device == other.device
        case (.correlation(let correlation), .correlation(let other)):
            correlation.type == other.type && correlation.device == other.device
        case (.workout(let workout), .workout(let other)): workout.device == other.device
        case (.event(let event), .event(let other)): event.device == other.device
        default: false
        }
    }
}
