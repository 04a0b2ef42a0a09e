import DBus
public import GatewayCore
import Platform

/// A stand-in for bluetoothd on a bus of a test's own.
///
/// It answers for `org.bluez` as bluetoothd 5.66 does: adapters, discovery with its sessions and
/// temporary devices, connecting, the attributes of a device, notifications. BlueZ's own `bluetoothctl`
/// works with it unchanged. What the air holds, and what goes wrong, is up to the test.
public actor FakeBlueZ {
    /// How it differs from a usual bluetoothd 5.66.
    public struct Options: Sendable {
        /// Whether the Battery Service is among the attributes, as it is since 5.80; `Battery1` is always there.
        public var exportsBatteryService = false
        /// Whether the attributes of a device stay after its link, which `Cache = always`, the
        /// default, does.
        public var keepsAttributes = true

        /// Makes the options of a usual bluetoothd.
        public init() {}
    }

    /// The name it has on the bus.
    public static let name = "org.bluez"
    /// How long a device that was only heard, never connected, is kept after that.
    public static let temporarySeconds = 30.0
    /// How long the system tries to reach a device that is not there.
    public static let connectLimitSeconds = 20.0

    /// Every call that came, in order.
    public internal(set) var calls: [BusRequest] = []
    /// Every write to a characteristic that came over a link, in order.
    public internal(set) var writes: [FakeWrite] = []

    let loop: BusLoop
    let address: String
    let clock: any GatewayClock
    let options: Options
    var bus: MessageBus?
    var tree = FakeManagedObjects()
    var adapters: [String: FakeAdapterState] = [:]
    /// Known devices by their path.
    var devices: [String: FakeKnownDevice] = [:]
    /// What a device says of itself, by its address; also after it has gone.
    var descriptions: [String: FakeDevice] = [:]
    /// The devices that can be heard, with the adapters that hear them; nil is all.
    var air: [String: Set<String>?] = [:]
    var plugged: [FakeAdapter]
    /// What outlives bluetoothd and a stay in another socket, by the adapter's address, then by its own.
    var stored: [String: [String: FakeManagedObjects.Properties]] = [:]
    var timers = FakeTimers()
    var faults = FakeCallFaults()
    var waiters: [FakeWaiter] = []

    /// The loop that its bus lives on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Makes a bluetoothd that does not run yet.
    ///
    /// All delays are on `clock`.
    public init(
        address: String, adapters: [FakeAdapter] = [FakeAdapter()],
        clock: any GatewayClock = SystemClock(), options: Options = Options()
    ) throws {
        self.address = address
        self.clock = clock
        self.options = options
        plugged = adapters
        loop = try BusLoop(label: "fake-bluez")
    }

    deinit {
        timers.cancelAll()
    }

    /// Whether it is on a bus.
    public var isRunning: Bool { bus != nil }

    /// Comes onto the bus; what was stored before is there again.
    public func start() async throws {
        guard bus == nil else { return }
        let bus = try MessageBus(address: address, on: loop) { [weak self] _ in
            self?.assumeIsolated { $0.forgetEverything() }
        }
        try bus.serve("/") { [weak self] request, reply in
            self?.assumeIsolated { $0.take(request, reply) }
        }
        bus.addMatch(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',path='/org/freedesktop/DBus',arg2=''"
        ) { [weak self] signal in
            guard let name = signal.body.first?.string else { return }
            self?.assumeIsolated { $0.senderLeft(name) }
        }
        populate()
        self.bus = bus
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            bus.requestName(Self.name) { error in
                done.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    /// Leaves the bus at once, as a bluetoothd that crashes: nothing is told, every link is lost.
    public func crash() {
        bus?.close(writingRest: false)
        forgetEverything()
    }

    private func populate() {
        tree.removeAll()
        _ = tree.add("/org/bluez", FakeInterface.agentManager, [:])
        _ = tree.add("/org/bluez", FakeInterface.profileManager, [:])
        for adapter in plugged { addAdapter(adapter) }
    }

    private func forgetEverything() {
        for path in devices.keys { store(path) }
        timers.cancelAll()
        bus = nil
        devices = [:]
        adapters = [:]
        tree.removeAll()
        faults.heldCalls = []
        changed()
    }

    /// Sends a signal, if there is one and somebody to send it to.
    func emit(_ signal: BusSignal?) {
        guard let signal else { return }
        // It fails only when the bus has gone, and then nobody is there to miss it.
        try? bus?.emit(signal)
        changed()
    }

    /// Returns when all that was sent has reached the bus.
    public func flush() async {
        let ping = BusCall(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping")
        guard bus != nil else { return }
        await withCheckedContinuation { done in
            _ = bus?.call(ping, timeoutSeconds: 60) { _ in done.resume() }
        }
    }

    /// Does something later, unless what has the same name is set again or cancelled.
    func after(
        _ seconds: Double, _ name: FakeTimers.Name,
        _ action: @escaping @Sendable (isolated FakeBlueZ) -> Void
    ) {
        timers.cancel(name)
        guard seconds > 0 else { return action(self) }
        let number = timers.nextNumber()
        let clock = clock
        let task = Task(executorPreference: timers.executor) { [weak self] in
            guard (try? await clock.sleep(seconds: seconds)) != nil else { return }
            await self?.fire(name, number, action)
        }
        timers.add(name, number, task)
    }

    private func fire(
        _ name: FakeTimers.Name, _ number: Int,
        _ action: @Sendable (isolated FakeBlueZ) -> Void
    ) {
        guard timers.take(name, number) else { return }
        action(self)
    }
}

/// A write to a characteristic that ``FakeBlueZ`` has seen.
public struct FakeWrite: Hashable, Sendable {
    /// The device's address.
    public let address: String
    /// The characteristic, as a full UUID.
    public let uuid: String
    /// What was written.
    public let value: [UInt8]
}
