import DBus
public import GatewayCore
import Platform

/// A fake bluetoothd on a private bus.
///
/// It serves `org.bluez` as bluetoothd 5.66 does: adapters, discovery sessions, temporary devices,
/// connections, GATT attributes, notifications. BlueZ's `bluetoothctl` works with it unchanged. The
/// test controls devices and failures.
public actor FakeBlueZ {
    /// Differences from a default bluetoothd 5.66.
    public struct Options: Sendable {
        /// Whether the Battery Service is exported, as it is since 5.80; `Battery1` always exists.
        public var exportsBatteryService = false
        /// Whether the attributes of a device remain after its link ends, as with the default
        /// `Cache = always`.
        public var keepsAttributes = true

        /// Makes the options of a default bluetoothd.
        public init() {}
    }

    /// The well-known name on the bus.
    public static let name = "org.bluez"
    /// How long a device that was seen but never connected stays after discovery.
    public static let temporarySeconds = 30.0
    /// The connection timeout for a device that is out of range.
    public static let connectLimitSeconds = 20.0

    /// All calls received, in order.
    public internal(set) var calls: [BusRequest] = []
    /// All characteristic writes received over a link, in order.
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
    /// The devices by address, also after they have gone.
    var descriptions: [String: FakeDevice] = [:]
    /// The advertising devices, with the adapters in range; nil is all.
    var advertising: [String: Set<String>?] = [:]
    var plugged: [FakeAdapter]
    /// Properties that persist across restarts and replugging, by adapter address, then device
    /// address.
    var stored: [String: [String: FakeManagedObjects.Properties]] = [:]
    var timers = FakeTimers()
    var faults = FakeCallFaults()
    /// The registered agents; the first one is the default.
    public internal(set) var agents: [FakeAgent] = []
    var peripherals = FakePeripherals()
    var waiters: [FakeWaiter] = []

    /// The loop of its bus.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Makes a bluetoothd that is not running yet.
    ///
    /// All delays use `clock`.
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

    /// Whether it is running.
    public var isRunning: Bool { bus != nil }

    /// Connects to the bus; stored devices are restored.
    public func start() async throws {
        guard bus == nil else { return }
        let bus = try MessageBus(address: address, on: loop, acceptsDescriptors: true) {
            [weak self] _ in
            self?.assumeIsolated { $0.reset() }
        }
        try bus.serve("/") { [weak self] request, reply in
            self?.assumeIsolated { $0.receive(request, reply) }
        }
        bus.addMatch(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',path='/org/freedesktop/DBus',arg2=''"
        ) { [weak self] signal in
            guard let name = signal.body.first?.string else { return }
            self?.assumeIsolated { $0.clientLeft(name) }
        }
        populate()
        self.bus = bus
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            bus.requestName(Self.name) { error in
                done.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    /// Leaves the bus immediately, as a crashing bluetoothd: nothing is reported, every link is
    /// lost.
    public func crash() {
        bus?.close(flushing: false)
        reset()
    }

    private func populate() {
        tree.removeAll()
        _ = tree.add("/org/bluez", FakeInterface.agentManager, [:])
        _ = tree.add("/org/bluez", FakeInterface.profileManager, [:])
        for adapter in plugged { addAdapter(adapter) }
    }

    private func reset() {
        for path in devices.keys { store(path) }
        timers.cancelAll()
        bus = nil
        devices = [:]
        adapters = [:]
        agents = []
        peripherals = FakePeripherals()
        tree.removeAll()
        faults.heldCalls = []
        faults.ignoredCalls = []
        notifyWaiters()
    }

    /// Sends a signal, if there is one and the bus is connected.
    func emit(_ signal: BusSignal?) {
        guard let signal else { return }
        // It fails only when the bus connection is lost; then no program can receive it.
        try? bus?.emit(signal)
        notifyWaiters()
    }

    /// Waits until all sent messages have reached the bus.
    public func flush() async {
        let ping = BusCall(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping")
        guard bus != nil else { return }
        await withCheckedContinuation { done in
            _ = bus?.call(ping, timeoutSeconds: 60) { _ in done.resume() }
        }
    }

    /// Runs an action after a delay, unless a timer with the same name is set again or cancelled.
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
        guard timers.removeFired(name, number) else { return }
        action(self)
    }
}

/// A characteristic write that ``FakeBlueZ`` received.
public struct FakeWrite: Hashable, Sendable {
    /// The device's address.
    public let address: String
    /// The characteristic, as a full UUID.
    public let uuid: String
    /// What was written.
    public let value: [UInt8]
}
