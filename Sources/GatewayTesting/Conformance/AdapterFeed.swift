import GatewayCore
import Platform
import Readings

/// An adapter that gets events in the order of the contract, and what it did with them.
struct AdapterFeed {
    /// The number of timer events after which an adapter must have stopped to request more.
    static let timerLimit = 10

    private(set) var adapter: any DeviceAdapter
    /// All readings, in order.
    private(set) var readings: [Reading] = []
    /// How many times a timer was requested for the present or the past.
    private(set) var immediateWakes = 0
    private var slowest = 0.0
    private var actionsBeyondBytes = 0
    private let record: InputRecord
    private let seed: UInt64?
    private let clock = SystemClock()
    private var receipt = BootInstant(nanoseconds: 1_000_000_000)

    init(_ adapter: any DeviceAdapter, record: InputRecord, seed: UInt64?) {
        self.adapter = adapter
        self.record = record
        self.seed = seed
    }

    /// Passes an event to the adapter, one second after the event before.
    mutating func handle(_ kind: AdapterEvent.Kind) {
        record.write(kind, seed: seed)
        let start = clock.now()
        let actions = adapter.handle(AdapterEvent(kind, at: receipt))
        slowest = max(slowest, clock.now().seconds(since: start))
        let byteCount = if case .received(let bytes, _) = kind { bytes.count } else { 0 }
        actionsBeyondBytes = max(actionsBeyondBytes, actions.count - 4 * byteCount)
        for action in actions {
            switch action {
            case .reading(let reading): readings.append(reading)
            case .wake(let time) where time <= receipt: immediateWakes += 1
            case .wake, .send, .read, .dropped: break
            }
        }
        receipt = receipt.adding(nanoseconds: 1_000_000_000)
    }

    /// What exceeded a limit.
    func problems(actionLimit: Int, seconds: Double) -> [String] {
        var problems: [String] = []
        if actionsBeyondBytes > actionLimit {
            problems.append("more than \(actionLimit) actions for one event")
        }
        if slowest > seconds { problems.append("an event took longer than \(seconds) s") }
        return problems
    }
}
