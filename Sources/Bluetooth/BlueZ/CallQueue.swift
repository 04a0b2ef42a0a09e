import GatewayCore
import Platform

/// The calls to bluetoothd: few at a time wait for an answer, the others wait to be sent, in order.
///
/// The system bus rejects calls of a connection that has too many without an answer
/// (`max_replies_per_connection`, 128 by default).
struct CallQueue<Request: Sendable> {
    /// A call that waits to be sent.
    struct Entry: Sendable {
        let request: Request
        let call: BlueZCall
        /// The end of its timeout, which includes the time in the queue.
        let deadline: BootInstant
    }

    /// The maximum number of calls without an answer.
    static var limit: Int { 64 }

    private(set) var unansweredCount = 0
    private var entries: [Entry] = []
    /// The number of entries at the start that have been removed.
    private var removedCount = 0

    /// Whether another call can be sent now.
    var canSend: Bool { unansweredCount < Self.limit }

    /// The earliest deadline in the queue.
    var wakeTime: BootInstant? { entries.dropFirst(removedCount).map(\.deadline).min() }

    /// Adds a call at the end.
    mutating func add(_ request: Request, _ call: BlueZCall, at now: BootInstant) {
        let deadline = now.adding(seconds: call.timeoutSeconds)
        entries.append(Entry(request: request, call: call, deadline: deadline))
    }

    /// Removes and returns the next call to send; nil when there is none or too many are unanswered.
    mutating func next() -> Entry? {
        guard canSend, removedCount < entries.count else { return nil }
        let entry = entries[removedCount]
        removedCount += 1
        if removedCount == entries.count { removeAll() }
        return entry
    }

    /// Counts a call that was sent.
    mutating func noteSent() { unansweredCount += 1 }

    /// Counts an answer, whatever it is.
    mutating func noteAnswered() { unansweredCount -= 1 }

    /// Removes and returns the calls whose deadline has passed.
    mutating func removeExpired(at now: BootInstant) -> [Request] {
        guard let first = wakeTime, first <= now else { return [] }
        let waiting = entries.dropFirst(removedCount)
        entries = waiting.filter { $0.deadline > now }
        removedCount = 0
        return waiting.filter { $0.deadline <= now }.map(\.request)
    }

    /// Removes all calls that were not sent.
    mutating func removeAll() {
        entries = []
        removedCount = 0
    }
}
