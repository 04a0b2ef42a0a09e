import BluetoothTesting
import DBus
import GatewayTesting
import XCTest

/// A program that uses bluetoothd, one call after the other.
actor BlueZCaller {
    private let loop: BusLoop
    private var bus: MessageBus?
    private(set) var signals: [BusSignal] = []
    private var waiters:
        [(isMet: (isolated BlueZCaller) -> Bool, done: CheckedContinuation<Void, Never>)] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init() throws {
        loop = try BusLoop(label: "caller")
    }

    func connect(to address: String) async throws {
        let bus = try MessageBus(
            address: address, on: loop, acceptsDescriptors: true
        ) { _ in }
        self.bus = bus
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            bus.addMatch(
                "type='signal',sender='org.bluez'",
                installed: { error in
                    done.resume(with: error.map { .failure($0) } ?? .success(()))
                },
                handler: { [weak self] signal in
                    self?.assumeIsolated { $0.take(signal) }
                })
        }
    }

    func leave() {
        bus?.close()
        bus = nil
    }

    @discardableResult
    func call(
        _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
        timeoutSeconds: Double = 30
    ) async throws -> [BusValue] {
        guard bus != nil else { throw BusError.disconnected }
        return try await withCheckedThrowingContinuation { done in
            _ = bus?.call(
                BusCall("org.bluez", path, interface, member, body),
                timeoutSeconds: timeoutSeconds
            ) { done.resume(with: $0) }
        }
    }

    func wait(until isMet: @escaping @Sendable (isolated BlueZCaller) -> Bool) async {
        guard !isMet(self) else { return }
        await withCheckedContinuation { waiters.append((isMet, $0)) }
    }

    func forgetSignals() { signals = [] }

    private func take(_ signal: BusSignal) {
        signals.append(signal)
        let met = waiters.filter { $0.isMet(self) }
        waiters.removeAll { $0.isMet(self) }
        for waiter in met { waiter.done.resume() }
    }
}

extension BlueZCaller {
    static let adapter = "/org/bluez/hci0"
    static let strap = "/org/bluez/hci0/dev_D0_11_22_33_44_55"

    func adapter(_ member: String, _ body: [BusValue] = []) async throws {
        try await call(Self.adapter, "org.bluez.Adapter1", member, body)
    }

    func device(_ member: String, timeoutSeconds: Double = 30) async throws {
        try await call(
            Self.strap, "org.bluez.Device1", member, timeoutSeconds: timeoutSeconds)
    }

    func characteristic(
        _ path: String, _ member: String, _ body: [BusValue] = []
    ) async throws -> [BusValue] {
        try await call(path, "org.bluez.GattCharacteristic1", member, body)
    }

    func property(_ name: String, of interface: String, _ path: String) async throws -> BusValue? {
        let answer = try await call(
            path, "org.freedesktop.DBus.Properties", "Get", [.string(interface), .string(name)])
        guard case .variant(let value)? = answer.first else { return nil }
        return value
    }

    func set(
        _ name: String, of interface: String, _ path: String, to value: BusValue
    ) async throws {
        try await call(
            path, "org.freedesktop.DBus.Properties", "Set",
            [.string(interface), .string(name), .variant(value)])
    }

    /// The interfaces of all objects, by path.
    func objects() async throws -> [String: [String]] {
        let answer = try await call(
            "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return answer.first?.entries?.mapValues { ($0.entries ?? [:]).keys.sorted() } ?? [:]
    }

    /// The paths that have appeared, and those that have gone, in order.
    var appeared: [String] { paths(of: "InterfacesAdded") }

    var removed: [String] { paths(of: "InterfacesRemoved") }

    private func paths(of member: String) -> [String] {
        signals.filter { $0.member == member }.compactMap { $0.body.first?.string }
    }

    /// What has changed on an object, in order: `Connected=true`, `-RSSI` for what is no longer valid.
    func changes(of path: String) -> [String] {
        signals.filter { $0.path == path && $0.member == "PropertiesChanged" }.flatMap { signal in
            let values = signal.body[1].entries ?? [:]
            let changed = values.sorted { $0.key < $1.key }.map {
                "\($0.key)=\(text(of: $0.value))"
            }
            return changed
                + (signal.body[2].elements ?? []).compactMap { $0.string.map { "-\($0)" } }
        }
    }

    private func text(of value: BusValue) -> String {
        if let flag = value.boolean { return "\(flag)" }
        if let number = value.integer { return "\(number)" }
        if let bytes = value.bytes { return "\(bytes)" }
        return value.string ?? "…"
    }
}

/// A bus, a bluetoothd on it with a strap on the air, and a program that uses it.
struct BlueZScene {
    let bus: PrivateBus
    let fake: FakeBlueZ
    let caller: BlueZCaller

    /// Switches discovery on and off, which leaves the strap known.
    func discover() async throws {
        try await caller.adapter("StartDiscovery")
        await caller.wait { $0.appeared.contains(BlueZCaller.strap) }
    }

    /// Has the strap connected and its services found.
    func connect() async throws {
        try await discover()
        try await caller.device("Connect")
        await caller.wait { $0.changes(of: BlueZCaller.strap).contains("ServicesResolved=true") }
    }

    func path(_ uuid: String) async throws -> String {
        try unwrap(await fake.characteristicPath(uuid, of: "D0:11:22:33:44:55"))
    }

    private func unwrap(_ path: String?) throws -> String { try XCTUnwrap(path) }
}

extension XCTestCase {
    func scene(
        clock: ManualClock = ManualClock(), options: FakeBlueZ.Options = .init(),
        limits: PrivateBus.Limits = .init(),
        device: (inout FakeDevice) -> Void = { _ in }
    ) async throws -> BlueZScene {
        let bus: PrivateBus
        do {
            bus = try PrivateBus(limits: limits)
        } catch let failure as PrivateBus.Failure where failure.description.contains("missing") {
            throw XCTSkip(failure.description)
        }
        let fake = try FakeBlueZ(address: bus.address, clock: clock, options: options)
        try await fake.start()
        var strap = FakeStrap().device
        device(&strap)
        await fake.appear(strap)
        let caller = try BlueZCaller()
        try await caller.connect(to: bus.address)
        return BlueZScene(bus: bus, fake: fake, caller: caller)
    }
}

func fault(of body: @Sendable () async throws -> Void) async -> BusError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? BusError
    }
}
