import GatewayCore
import GatewayTesting
import HealthModel
import Readings
import Synchronization

extension [ConformanceFinding] {
    /// The findings, each on its line.
    var text: String { map(\.description).joined(separator: "\n") }
}

extension AdapterAction {
    /// The reading of a step counter.
    static func steps(
        _ value: Double, range: CounterReading.Range = .unbounded
    ) -> AdapterAction {
        .reading(.counter(CounterReading(.stepCount, value: value, range: range, unit: .count)))
    }
}

/// Does what a closure says.
struct ScriptedAdapter: DeviceAdapter {
    let actions: @Sendable (AdapterEvent) -> [AdapterAction]

    func handle(_ event: AdapterEvent) -> [AdapterAction] { actions(event) }
}

/// Counts bytes, and reports the total once for each event, as the contract allows.
struct ByteTotal: DeviceAdapter {
    private var value = 0.0

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened, .closed: value = 0
        case .received(let bytes, _): value += Double(bytes.count)
        case .timer: return []
        }
        return [.steps(value)]
    }
}

/// Reads two-byte numbers; may lose a half one, or keep it across a reset.
struct PairAdapter: DeviceAdapter {
    let keepsHalves: Bool
    let forgetsWhenClosed: Bool
    private var half: UInt8?

    init(keepsHalves: Bool, forgetsWhenClosed: Bool) {
        self.keepsHalves = keepsHalves
        self.forgetsWhenClosed = forgetsWhenClosed
    }

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let bytes, _) = event.kind else {
            if forgetsWhenClosed, event.kind != .timer { half = nil }
            return []
        }
        var rest = (half.map { [$0] } ?? []) + bytes
        var actions: [AdapterAction] = []
        while rest.count >= 2 {
            actions.append(.steps(Double(rest[0]) * 256 + Double(rest[1])))
            rest.removeFirst(2)
        }
        half = keepsHalves ? rest.first : nil
        return actions
    }
}

/// Counts timer events as steps.
struct TimerCounter: DeviceAdapter {
    private var value = 0.0

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        if event.kind == .timer { value += 1 }
        return [.steps(value)]
    }
}

/// Counts bytes in an object that copies share.
struct SharedTotal: DeviceAdapter {
    private final class Total: Sendable {
        let value = Mutex(0)
    }

    private let total = Total()

    func handle(_ event: AdapterEvent) -> [AdapterAction] {
        let value = total.value.withLock { value in
            switch event.kind {
            case .opened, .closed: value = 0
            case .received(let bytes, _): value += bytes.count
            case .timer: break
            }
            return value
        }
        return [.steps(Double(value))]
    }
}

/// Counts bytes and goes on from the total of an earlier link.
struct StubbornTotal: DeviceAdapter {
    private var value = 0.0

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let bytes, _) = event.kind else { return [] }
        value += Double(bytes.count)
        return [.steps(value)]
    }
}

/// Keeps every byte up to a limit.
struct Hoarder: DeviceAdapter {
    let limit: Int
    private var bytes: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let received, _) = event.kind else { return [] }
        bytes += received
        if bytes.count > limit { bytes = [] }
        return []
    }
}

/// Reports the last byte of an event as the total.
struct LastByte: DeviceAdapter {
    let range: CounterReading.Range

    func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let bytes, _) = event.kind, let last = bytes.last else { return [] }
        return [.steps(Double(last), range: range)]
    }
}

/// Reads two-byte numbers, and reports a total of zero with every half one.
struct ZeroOfHalves: DeviceAdapter {
    private var pairs = PairAdapter(keepsHalves: true, forgetsWhenClosed: true)
    private var isHalf = false

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        if case .received(let bytes, _) = event.kind {
            isHalf = isHalf != (bytes.count % 2 == 1)
        } else {
            isHalf = false
        }
        return (isHalf ? [.steps(0)] : []) + pairs.handle(event)
    }
}

/// A number that grows with every call.
final class SharedNumber: Sendable {
    private let value = Mutex<UInt64>(0)

    func next() -> UInt64 {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
