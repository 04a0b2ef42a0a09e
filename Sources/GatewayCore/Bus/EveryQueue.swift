public import HealthModel
import Synchronization

/// Every record of the live lane, in a queue for one reader.
///
/// Whoever publishes never waits for the reader. When more is waiting than the queue holds, the oldest
/// batches go, so that a reader who was late is soon up to date again; a gap stands in their place.
public final class SubscriptionBuffer: Sendable {
    /// So many records wait when nothing else is said: some minutes of twenty straps.
    public static let defaultLimit = 10_000

    /// What a reader gets.
    public enum Delivery: Hashable, Sendable {
        /// Records that were published together.
        case records([Record])
        /// So many records were published here and thrown away.
        case gap(missed: Int)
    }

    fileprivate struct State {
        /// Those before `first` have been fetched.
        var batches: [[Record]] = []
        var first = 0
        /// How many records are in the batches.
        var count = 0
        /// How many records were thrown away before the first batch.
        var missed = 0
        var waiter: CheckedContinuation<Void, Never>?
        var isFinished = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Waits for what comes next; nil when the subscription was cancelled, or the task that waits is.
    ///
    /// One reader at a time; a second one takes the place of the first, which looks again at once.
    public func next() async -> Delivery? {
        while !Task.isCancelled {
            let (delivery, isFinished) = state.withLock { ($0.fetch(), $0.isFinished) }
            if isFinished { return nil }
            if let delivery { return delivery }
            await waitForChange()
        }
        return nil
    }

    private func waitForChange() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumed = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    // A task that is cancelled from here on finds the waiter.
                    if state.isFinished || !state.isEmpty || Task.isCancelled {
                        return continuation
                    }
                    defer { state.waiter = continuation }
                    return state.waiter
                }
                resumed?.resume()
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() {
        state.withLock { $0.takeWaiter() }?.resume()
    }

    /// Puts records that were published together at the end.
    func offer(_ records: [Record]) {
        guard !records.isEmpty else { return }
        let waiter = state.withLock { state in
            guard !state.isFinished else { return nil as CheckedContinuation<Void, Never>? }
            state.append(records, limit: limit)
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    func finish() {
        let waiter = state.withLock { state in
            state = State(waiter: state.waiter, isFinished: true)
            return state.takeWaiter()
        }
        waiter?.resume()
    }
}

extension SubscriptionBuffer.State {
    /// After so many fetched batches their places are given back.
    private static let mostFetched = 1_024

    var isEmpty: Bool { first == batches.count && missed == 0 }

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
        defer { waiter = nil }
        return waiter
    }

    /// Adds a batch, and throws away the oldest ones while there are too many records.
    mutating func append(_ records: [Record], limit: Int) {
        batches.append(records)
        count += records.count
        while count > limit, first < batches.count - 1 { missed += removeFirst().count }
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
        // Each batch is moved once at most for each one that goes.
        if first == batches.count || (first >= Self.mostFetched && first * 2 >= batches.count) {
            batches.removeFirst(first)
            first = 0
        }
        return batch
    }
}
