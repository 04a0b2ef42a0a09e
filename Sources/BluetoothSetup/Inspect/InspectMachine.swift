import Bluetooth
import DBus
import GatewayCore
import Platform

/// The state machine of `pulsegate inspect`: finds, connects and reads one device, then listens.
///
/// It does not retry: it ends with the first error.
struct InspectMachine: BlueZMachine {
    enum Request: Hashable, Sendable {
        case discovery(adapter: String, Discovery.Step)
        case connect
        case disconnect
        case read(String)
        case subscribe(String)
        case unsubscribe(String)
    }

    typealias Output = BluetoothInspector.Event
    typealias Action = BlueZAction<Request, Output>

    enum State: Hashable {
        case scanning
        case connecting(path: String)
        case resolving(path: String)
        case querying(path: String)
        case listening(path: String)
        /// Ends its subscriptions, and then the link unless another program uses it.
        case disconnecting(path: String)
        case ended
    }

    /// The scan timeout.
    static let scanSeconds = 20.0

    let address: BluetoothAddress
    let policy: LinkPolicy
    var state = State.scanning
    var discoveries: [String: Discovery] = [:]
    var characteristics: [String: BluetoothInspector.Characteristic] = [:]
    var pendingRequests: [Request] = []
    var deadline: BootInstant?
    var reading: String?
    /// Whether the link was made by our `Connect`, or may still be: only such a link is ended here.
    var isOwnLink = false
    /// The characteristics that were subscribed to.
    var subscribed: Set<String> = []
    /// By path: bluetoothd emits every value once for each subscribed program.
    var copies: [String: DuplicateNotificationFilter] = [:]

    init(address: BluetoothAddress, policy: LinkPolicy) {
        self.address = address
        self.policy = policy
    }

    var wakeTime: BootInstant? {
        guard !isFinished else { return nil }
        return ([deadline] + discoveries.values.map(\.wakeTime)).compactMap { $0 }.min()
    }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard !isFinished else { return continueDisconnecting(event, in: tree) }
        let actions: [Action] =
            switch event {
            case .available: begin(in: tree, at: now)
            case .unavailable(let error), .closed(let error): end(error)
            case .changed(let change): handle(change, in: tree, at: now)
            case .finished(let request, let result): finish(request, result, in: tree, at: now)
            case .timer: timerFired(at: now)
            case .agent: []
            case .stop: stop(in: tree)
            }
        return actions + updateDiscoveries(in: tree, at: now)
    }

    /// Whether the machine is disconnecting or has ended.
    private var isFinished: Bool {
        switch state {
        case .disconnecting, .ended: true
        default: false
        }
    }

    private mutating func begin(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        guard tree.adapters.contains(where: \.isPowered) else {
            let problem: CentralProblem =
                tree.adapters.first.map { .adapterOff($0.name) } ?? .noAdapter(named: nil)
            return end(problem.error(radioBlock: nil))
        }
        deadline = now.adding(seconds: Self.scanSeconds)
        adaptersChanged(in: tree)
        return [.output(.scanning)]
            + tree.devices.flatMap { consider($0, in: tree, at: now) }
    }

    /// Updates the discoveries: one for each powered adapter.
    mutating func adaptersChanged(in tree: ManagedObjects) {
        let powered = tree.adapters.filter(\.isPowered).map(\.path)
        let steered = powered.map { ($0, discoveries[$0] ?? Discovery()) }
        discoveries = Dictionary(steered) { first, _ in first }
    }

    /// Scans until the device is found.
    private mutating func updateDiscoveries(
        in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        discoveries.keys.sorted().compactMap { path in
            let isDiscovering = tree.adapter(at: path)?.isDiscovering
            return discoveries[path]?.nextStep(
                isWanted: state == .scanning, isDiscovering: isDiscovering, at: now
            ).map { call($0, on: path) }
        }
    }

    /// Connects the device as soon as it is seen.
    mutating func consider(
        _ device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard state == .scanning, device.address == address, device.isInRange else { return [] }
        let progress = Action.output(.connecting(name: device.name))
        guard !device.isConnected else {
            return [progress] + resolve(device.path, in: tree, at: now)
        }
        isOwnLink = true
        state = .connecting(path: device.path)
        deadline = now.adding(seconds: policy.connectSeconds)
        return [
            progress, .call(.connect, call("Connect", on: device.path, policy.connectSeconds + 5)),
        ]
    }

    mutating func resolve(
        _ path: String, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        state = .resolving(path: path)
        deadline = now.adding(seconds: policy.resolveSeconds)
        return queryAll(in: tree)
    }

    /// Queues reads and subscriptions for all characteristics when the services are resolved.
    mutating func queryAll(in tree: ManagedObjects) -> [Action] {
        guard case .resolving(let path) = state, let device = tree.device(at: path),
            device.isResolved
        else { return [] }
        let found = tree.characteristics(of: path).map(BluetoothInspector.Characteristic.init)
        characteristics = Dictionary(found.map { ($0.path, $0) }) { first, _ in first }
        pendingRequests =
            found.filter { $0.flags.contains("read") }.map { .read($0.path) }
            + found.filter { !Set($0.flags).isDisjoint(with: ["notify", "indicate"]) }.map {
                .subscribe($0.path)
            }
        state = .querying(path: path)
        deadline = nil
        return [.output(.discovered(name: device.name, tree.services(found, by: path)))]
            + sendNext()
    }

    mutating func sendNext() -> [Action] {
        guard case .querying(let device) = state else { return [] }
        guard !pendingRequests.isEmpty else {
            state = .listening(path: device)
            return [.output(.listening)]
        }
        let request = pendingRequests.removeFirst()
        switch request {
        case .read(let path):
            reading = path
            return [.call(request, call("ReadValue", on: path, [.properties([:])]))]
        case .subscribe(let path): return [.call(request, call("StartNotify", on: path, []))]
        default: return []
        }
    }
}

extension BluetoothInspector.Characteristic {
    fileprivate init(_ characteristic: BlueZCharacteristic) {
        uuid = characteristic.uuid
        service = characteristic.service
        flags = characteristic.flags.sorted()
        path = characteristic.path
    }
}

extension ManagedObjects {
    /// The services of a device with their characteristics.
    fileprivate func services(
        _ characteristics: [BluetoothInspector.Characteristic], by devicePath: String
    ) -> [BluetoothInspector.Service] {
        attributePaths(with: BlueZName.gattService, of: devicePath).compactMap { path in
            guard
                let uuid = properties(path, BlueZName.gattService)?["UUID"]?.string
                    .flatMap({ BluetoothUUID($0) })
            else { return nil }
            return BluetoothInspector.Service(
                uuid: uuid,
                characteristics: characteristics.filter { $0.path.hasPrefix("\(path)/") })
        }
    }
}

extension BluetoothInspector.Event: BlueZOutput {
    package var isDroppable: Bool { if case .notified = self { true } else { false } }
}
