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
        /// The readings in excess of the adapter's allowance.
        public fileprivate(set) var faults = ReadingFaults()
        /// Bytes to send, in order.
        public fileprivate(set) var sends: [(bytes: [UInt8], channel: Channel)] = []
        /// Channels to read, in order.
        public fileprivate(set) var reads: [Channel] = []
    }

    /// When the adapter wants its next timer event, if it does.
    public private(set) var wakeTime: BootInstant?
    /// The adapter, as the events so far have left it.
    package private(set) var adapter: any DeviceAdapter
    private let mark: CallMark?
    private var receipts = ReceiptSequence()
    private var allowance = AdapterAllowance()

    /// Makes a session around an adapter that has seen no event yet.
    ///
    /// The mark tells which device it is while a call of the adapter lasts.
    public init(_ adapter: any DeviceAdapter, mark: CallMark? = nil) {
        self.adapter = adapter
        self.mark = mark
    }

    /// Hands one event to the adapter.
    public mutating func handle(_ kind: AdapterEvent.Kind, at receipt: BootInstant) -> Outcome {
        if kind == .timer { wakeTime = nil }
        allowance.earn(bytes: kind.byteCount, at: receipt)
        var outcome = Outcome()
        let event = AdapterEvent(kind, at: receipt)
        let actions =
            if let mark { mark.during { adapter.handle(event) } } else { adapter.handle(event) }
        outcome.readings.reserveCapacity(min(actions.count, 4_096))
        for action in actions { perform(action, at: receipt, in: &outcome) }
        let excess = allowance.takeExcess()
        outcome.faults = excess.faults
        if excess.actions > 0 { outcome.drops[.flood, default: 0] += excess.actions }
        return outcome
    }

    private mutating func perform(
        _ action: consuming AdapterAction, at receipt: BootInstant, in outcome: inout Outcome
    ) {
        switch action {
        case .reading(let reading):
            guard allowance.admits(reading) else { return }
            outcome.readings.append(TimedReading(reading, at: receipts.next(receipt, for: reading)))
        case .send(let bytes, let channel):
            let length = channel.isOfProgram ? 0 : bytes.count
            guard allowance.admitsAction(sending: length) else { return }
            outcome.sends.append((bytes, channel))
        case .read(let channel):
            guard allowance.admitsAction() else { return }
            outcome.reads.append(channel)
        case .wake(let time):
            wakeTime = allowance.timer(at: time, receipt: receipt)
        case .dropped(let reason):
            outcome.drops[reason, default: 0] += 1
        }
    }
}

extension AdapterEvent.Kind {
    /// The number of bytes received from the device.
    fileprivate var byteCount: Int {
        if case .received(let bytes, let channel) = self, !channel.isOfProgram {
            bytes.count
        } else {
            0
        }
    }
}
