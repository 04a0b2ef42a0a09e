public import Platform

/// The session of one adapter on one connection: passes events in and sorts the actions by kind.
///
/// It is a value, like the adapter, and gives every reading a unique receipt time.
public struct AdapterSession: Sendable {
    /// The result of one event.
    public struct Outcome: Sendable {
        /// The device's readings, in order.
        public fileprivate(set) var readings: [TimedReading] = []
        /// The number of discarded pieces of input, by reason.
        public fileprivate(set) var drops: [DropReason: Int] = [:]
        /// Bytes to send, in order.
        public fileprivate(set) var sends: [(bytes: [UInt8], channel: Channel)] = []
        /// Channels to read, in order.
        public fileprivate(set) var reads: [Channel] = []
    }

    /// When the adapter wants its next timer event, if it does.
    public private(set) var wakeTime: BootInstant?
    private var adapter: any DeviceAdapter
    private var receipts = ReceiptSequence()

    /// Makes a session around an adapter that has seen no event yet.
    public init(_ adapter: any DeviceAdapter) {
        self.adapter = adapter
    }

    /// Hands one event to the adapter.
    public mutating func handle(_ kind: AdapterEvent.Kind, at receipt: BootInstant) -> Outcome {
        if kind == .timer { wakeTime = nil }
        var outcome = Outcome()
        let actions = adapter.handle(AdapterEvent(kind, at: receipt))
        outcome.readings.reserveCapacity(actions.count)
        for action in actions {
            switch action {
            case .reading(let reading):
                outcome.readings.append(TimedReading(reading, at: receipts.next(receipt)))
            case .send(let bytes, let channel): outcome.sends.append((bytes, channel))
            case .read(let channel): outcome.reads.append(channel)
            case .wake(let time): wakeTime = time
            case .dropped(let reason): outcome.drops[reason, default: 0] += 1
            }
        }
        return outcome
    }
}
