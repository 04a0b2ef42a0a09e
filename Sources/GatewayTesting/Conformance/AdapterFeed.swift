import GatewayCore
import Platform
import Readings

/// An adapter that gets events in the order of the contract, and what it did with them.
///
/// Violations that any event can show go to the run: too many actions, a timer in the past.
struct AdapterFeed {
    /// The maximum number of actions for one event, besides two for each of its bytes.
    private static let actionLimit = 64
    /// The maximum number of bytes that one event may send to the device.
    private static let sendLimit = 4_096

    private(set) var adapter: any DeviceAdapter
    /// All actions, in order, unless they are not kept.
    private(set) var actions: [AdapterAction] = []
    /// The time of the next requested timer.
    private(set) var wakeTime: BootInstant?
    /// The time of the next event.
    private(set) var now = BootInstant(nanoseconds: 1_000_000_000)
    private let keepsActions: Bool
    private let run: ConformanceRun

    init(_ adapter: any DeviceAdapter, in run: ConformanceRun, keepsActions: Bool = true) {
        self.adapter = adapter
        self.run = run
        self.keepsActions = keepsActions
    }

    /// All readings, in order.
    var readings: [Reading] { actions.compactMap(\.asReading) }

    /// Passes an event to the adapter; the next one is a second later.
    mutating func handle(_ kind: AdapterEvent.Kind) {
        handle(kind, at: now)
        now = now.adding(seconds: 1)
    }

    /// Waits, so that the next event is later.
    mutating func wait(seconds: Double) { now = now.adding(seconds: seconds) }

    /// Passes pieces of a stream, or values of a characteristic, to the adapter.
    mutating func receive(_ pieces: [[UInt8]], on channel: Channel) {
        for piece in pieces where !piece.isEmpty { handle(.received(piece, on: channel)) }
    }

    /// Passes the timer event that the adapter has requested; false if it has not.
    mutating func handleTimer() -> Bool {
        guard let time = wakeTime else { return false }
        wakeTime = nil
        now = max(now, time)
        handle(.timer, at: now)
        return true
    }

    /// Passes an event at a time, and returns what the adapter did.
    @discardableResult
    mutating func handle(
        _ kind: AdapterEvent.Kind, at receipt: BootInstant
    ) -> [AdapterAction] {
        let found = run.call(kind.text) { adapter.handle(AdapterEvent(kind, at: receipt)) }
        let byteCount = if case .received(let bytes, _) = kind { bytes.count } else { 0 }
        run.expect(
            found.count - 2 * byteCount <= Self.actionLimit,
            "more than \(Self.actionLimit) actions for one event")
        var sent = 0
        for action in found {
            switch action {
            case .wake(let time):
                wakeTime = time
                let wait = time.nanoseconds(since: receipt)
                run.expect(
                    wait >= AdapterAllowance.minimumTimerNanoseconds,
                    "requests a timer in less than 10 ms")
            case .send(let bytes, _): sent += bytes.count
            case .reading, .read, .dropped: break
            }
        }
        run.expect(sent <= Self.sendLimit, "sends more than \(Self.sendLimit) bytes for one event")
        if keepsActions { actions += found }
        return found
    }
}

extension AdapterAction {
    /// The reading; nil for any other action.
    var asReading: Reading? {
        if case .reading(let reading) = self { reading } else { nil }
    }
}

extension AdapterEvent.Kind {
    /// The event as text for the input record.
    fileprivate var text: String {
        switch self {
        case .opened: "opened"
        case .closed: "closed"
        case .timer: "timer"
        case .received(let bytes, let channel): "received on \(channel): \(hexadecimal(bytes))"
        }
    }
}
