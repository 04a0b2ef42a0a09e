public import HealthModel
import Synchronization

/// Shows what is measured right now to whoever looks: a display, a tap, a dashboard.
///
/// The lane waits for nobody and keeps no history. A subscriber gets, for every device and type, the
/// newest record and how many there were; what it does not fetch in time is replaced by what is newer.
public final class LiveLane: Sendable {
    private let subscribers = Mutex<[LatestSubscription]>([])

    /// Makes a lane without subscribers.
    public init() {}

    /// Subscribes to the newest values from now on.
    ///
    /// The subscription ends when it is cancelled.
    public func subscribe() -> LatestSubscription {
        let subscription = LatestSubscription()
        subscribers.withLock { $0.append(subscription) }
        return subscription
    }

    /// Ends a subscription; a reader that waits for it gets nil.
    public func cancel(_ subscription: LatestSubscription) {
        subscribers.withLock { $0.removeAll { $0 === subscription } }
        subscription.finish()
    }

    /// Offers records to every subscriber.
    func offer(_ records: [Record]) {
        for subscriber in subscribers.withLock({ $0 }) { subscriber.offer(records) }
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

    private struct Key: Hashable {
        let device: String?
        let type: String?
    }

    private struct State {
        var counts: [Key: Int] = [:]
        var changed: [Key: Record] = [:]
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
                let entries = state.changed.map { key, record in
                    Entry(record: record, count: state.counts[key] ?? 0)
                }
                return (entries, state.isFinished)
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

    fileprivate func offer(_ records: [Record]) {
        let waiter = state.withLock { state in
            for record in records {
                let key = Key(device: record.device?.localIdentifier, type: record.typeName)
                state.changed[key] = record
                state.counts[key, default: 0] += 1
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
