import Bluetooth
import DBus
import GatewayCore
import GatewayTesting
import Platform
import Synchronization
import XCTest

@testable import Peripheral

extension Offer {
    /// A heart-rate strap: the measurement and its location.
    static func strap(adapter: String? = nil) -> Offer {
        Offer(
            adapter: adapter, name: "Ada",
            services: [
                OfferedService(
                    .heart,
                    [
                        OfferedCharacteristic(.measurement, .notify),
                        OfferedCharacteristic(.location, .read, value: [1, 2, 3]),
                    ])
            ])
    }
}

extension BluetoothUUID {
    static let heart = BluetoothUUID(0x180D)
    static let measurement = BluetoothUUID(0x2A37)
    static let location = BluetoothUUID(0x2A38)
}

extension PeripheralEvent {
    /// The event in short: `offered hci0`, `problem`, `subscribed`.
    var words: String {
        switch self {
        case .offered(let adapter): "offered \(adapter)"
        case .problem(let problem?, _): "problem: \(problem.problem)"
        case .problem(nil, _): "no problem"
        case .subscribed(_, let isOn): isOn ? "subscribed" : "unsubscribed"
        }
    }
}

/// Drives the machine with events of bluetoothd, and records its calls and events.
struct PeripheralDriver {
    private(set) var machine: PeripheralMachine
    private(set) var tree = ManagedObjects()
    private(set) var now = BootInstant(nanoseconds: 1_000_000_000_000)
    private(set) var open: [(request: Registration, call: BlueZCall)] = []
    private var calls: [String] = []
    private var events: [String] = []
    private(set) var emitted: [BusSignal] = []

    init(adapter: String? = nil) {
        machine = PeripheralMachine(.strap(adapter: adapter))
    }

    mutating func handle(_ event: BlueZEvent<Registration>) {
        perform(machine.handle(event, in: tree, at: now))
    }

    mutating func set(_ value: [UInt8]) {
        perform(machine.apply(.set(.measurement, value), in: tree, at: now))
    }

    @discardableResult
    mutating func ask(
        _ interface: String, _ member: String, at path: String, _ body: [BusValue] = []
    ) -> ObjectAnswer {
        let call = ObjectCall(path: path, interface: interface, member: member, body: body)
        let (answer, actions) = machine.answer(call, at: now)
        perform(actions)
        return answer
    }

    mutating func apply(_ signal: BusSignal) {
        for change in tree.apply(signal) { handle(.changed(change)) }
    }

    mutating func answer(_ error: BusError? = nil) {
        guard !open.isEmpty else { return XCTFail("no call is open") }
        let (request, _) = open.removeFirst()
        handle(.finished(request, error.map { .failure($0) } ?? .success([])))
    }

    /// Lets time pass up to the machine's next wish; returns the seconds.
    mutating func passToTimer() -> Double {
        guard let next = machine.wakeTime else { return .infinity }
        let seconds = next.seconds(since: now)
        now = next
        handle(.timer)
        return seconds
    }

    /// Lets time pass without an event.
    mutating func pass(_ seconds: Double) { now = now.adding(seconds: seconds) }

    mutating func removeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    mutating func removeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    private mutating func perform(_ actions: [BlueZAction<Registration, PeripheralEvent>]) {
        for action in actions {
            switch action {
            case .call(let request, let call):
                calls.append("\(call.member) \(call.path.split(separator: "/").last ?? "")")
                if !request.isEnd { open.append((request, call)) }
            case .output(let event): events.append(event.words)
            case .emit(let signal): emitted.append(signal)
            case .answer, .end: XCTFail("\(action)")
            }
        }
    }
}

/// The adapters of the driver.
extension PeripheralDriver {
    /// Adds an adapter, with both managers if it is capable.
    mutating func add(_ name: String, isPowered: Bool = true, isCapable: Bool = true) {
        var interfaces: [BusValue: BusValue] = [
            .string(BlueZName.adapter): .properties([
                "Address": .string("00:1A:7D:DA:71:13"), "Powered": .boolean(isPowered),
            ])
        ]
        for manager in isCapable ? PeripheralAdapter.managers : [] {
            interfaces[.string(manager)] = .properties([:])
        }
        apply(
            BusSignal(
                "/", BlueZName.objectManager, "InterfacesAdded",
                [
                    .objectPath("/org/bluez/\(name)"),
                    .dictionary(interfaces, key: "s", value: "a{sv}"),
                ]))
    }

    /// Powers an adapter on or off.
    mutating func power(_ name: String, _ isOn: Bool) {
        apply(
            BusSignal(
                "/org/bluez/\(name)", BlueZName.properties, BlueZName.propertiesChanged,
                [
                    .string(BlueZName.adapter), .properties(["Powered": .boolean(isOn)]),
                    .array([], of: "s"),
                ]))
    }

    /// Removes an adapter.
    mutating func unplug(_ name: String) {
        let interfaces = PeripheralAdapter.interfaces.sorted().map { BusValue.string($0) }
        apply(
            BusSignal(
                "/", BlueZName.objectManager, "InterfacesRemoved",
                [.objectPath("/org/bluez/\(name)"), .array(interfaces, of: "s")]))
    }
}

/// The events of a running peripheral.
final class Events: Sendable {
    private let stream: AsyncStream<String>
    private let task: Task<Void, Never>
    private let seen = Mutex<[String]>([])

    init(_ peripheral: Peripheral) {
        let (stream, add) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        task = Task {
            try? await peripheral.run { add.yield($0.words) }
            add.finish()
        }
    }

    /// Waits until an event has come so many times since the start.
    func wait(for words: String, count: Int = 1) async {
        for await event in stream {
            let known = seen.withLock { seen in
                seen.append(event)
                return seen.count { $0 == words }
            }
            if event == words, known >= count { return }
        }
        XCTFail("ended without \(words): \(seen.withLock { $0 })")
    }

    /// Ends the peripheral.
    func end() async {
        task.cancel()
        await task.value
    }
}
