public import HealthModel
import Synchronization

/// Shows what is measured right now to whoever looks: a display, a tap, a dashboard.
///
/// The lane waits for nobody and keeps no history. One kind of subscriber gets, for every device and
/// type, the newest record and how many there were; what it does not fetch in time is replaced by what
/// is newer. Another kind fetches every record from a queue of its own, which has a bound: what is beyond
/// it is missing, and it is told where. The third kind is handed every record on the spot, and has to see
/// to its own bounds.
public final class LiveLane: Sendable {
    private struct Subscribers {
        var latest: [LatestSubscription] = []
        var queues: [SubscriptionBuffer] = []
        var every: [BufferedSubscription] = []
    }

    private let subscribers = Mutex(Subscribers())

    /// Makes a lane without subscribers.
    public init() {}

    /// Subscribes to the newest values from now on.
    ///
    /// The subscription ends when it is cancelled.
    public func subscribe() -> LatestSubscription {
        let subscription = LatestSubscription()
        subscribers.withLock { $0.latest.append(subscription) }
        return subscription
    }

    /// Ends a subscription; a reader that waits for it gets nil.
    public func cancel(_ subscription: LatestSubscription) {
        subscribers.withLock { $0.latest.removeAll { $0 === subscription } }
        subscription.finish()
    }

    /// Subscribes to every record from now on, for a reader that may be slow; the subscription ends when it is
    /// cancelled.
    ///
    /// - Parameter limit: So many records wait for the reader at most, and at least one batch.
    public func subscribeBuffered(limit: Int = SubscriptionBuffer.defaultLimit)
        -> SubscriptionBuffer
    {
        let queue = SubscriptionBuffer(limit: limit)
        subscribers.withLock { $0.queues.append(queue) }
        return queue
    }

    /// Ends a subscription; a reader that waits for it gets nil.
    public func cancel(_ queue: SubscriptionBuffer) {
        subscribers.withLock { $0.queues.removeAll { $0 === queue } }
        queue.finish()
    }

    /// Subscribes to every batch of records from now on: `take` is called where it is published.
    ///
    /// It must return at once, for everything that is measured waits behind it. Sources publish side by
    /// side, and so it is called.
    package func subscribe(
        toEvery take: @escaping @Sendable (RecordBatch) -> Void
    ) -> BufferedSubscription {
        let subscription = BufferedSubscription(take)
        subscribers.withLock { $0.every.append(subscription) }
        return subscription
    }

    /// Ends a subscription; a call that is under way may still come.
    package func cancel(_ subscription: BufferedSubscription) {
        subscribers.withLock { $0.every.removeAll { $0 === subscription } }
    }

    /// Offers records to every subscriber.
    func offer(_ batch: RecordBatch) {
        let subscribers = subscribers.withLock { $0 }
        for subscriber in subscribers.every { subscriber.take(batch) }
        for queue in subscribers.queues { queue.offer(batch.records) }
        guard !subscribers.latest.isEmpty else { return }
        let newest = NewestRecords(batch.records)
        for subscriber in subscribers.latest { subscriber.offer(newest) }
    }
}

/// A place among those who are handed every record.
package final class BufferedSubscription: Sendable {
    fileprivate let take: @Sendable (RecordBatch) -> Void

    fileprivate init(_ take: @escaping @Sendable (RecordBatch) -> Void) {
        self.take = take
    }
}

/// The newest values since the last look.
public final class LatestSubscription: Sendable {
    /// What is shown about one device and one type, or about a device's state.
    public struct Entry: Sendable {
        /// The newest record.
        public let record: Record
        /// How many records there have been since the subscription began.
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
        var waiter: CheckedContinuation<Void, Never>?
        var isFinished = false

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let state = Mutex(State())

    /// Waits until something is new and returns it; nil when the subscription has ended.
    ///
    /// One reader at a time; a second one takes the place of the first, which looks again at once.
    public func next() async -> [Entry]? {
        while true {
            let (entries, isFinished) = state.withLock { state in
                defer { state.changed.removeAll(keepingCapacity: true) }
                return (state.changed.compactMap { state.entries[$0] }, state.isFinished)
            }
            if !entries.isEmpty { return entries }
            if isFinished { return nil }
            await waitForChange()
        }
    }

    private func waitForChange() async {
        await withCheckedContinuation { continuation in
            let resumed = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.isFinished || !state.changed.isEmpty { return continuation }
                defer { state.waiter = continuation }
                return state.waiter
            }
            resumed?.resume()
        }
    }

    fileprivate func offer(_ newest: NewestRecords) {
        let waiter = state.withLock { state in
            for (key, entry) in newest.entries {
                let before = state.entries[key]?.count ?? 0
                state.entries[key] = Entry(record: entry.record, count: before + entry.count)
                state.changed.insert(key)
            }
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    fileprivate func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.takeWaiter()
        }
        waiter?.resume()
    }
}

/// A device and what it measures; without a type, the device's state.
private struct StreamKey: Hashable {
    let device: String?
    let type: String?
}

/// The newest record of each device and type in a batch, and how many there were: found once, for all
/// subscribers.
private struct NewestRecords {
    /// In the order of their first records.
    let entries: [(key: StreamKey, entry: LatestSubscription.Entry)]

    init(_ records: [Record]) {
        // Where the newest record of each is. A batch is of one device, so there are few.
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
    /// Whether two records of a batch are of one device and one type.
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
