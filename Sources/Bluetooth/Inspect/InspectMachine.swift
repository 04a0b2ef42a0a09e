import DBus
import GatewayCore
import Platform

/// The way to one device, once: found, connected, read, listened to.
///
/// When something does not work it ends with the reason; whoever inspects wants to know it.
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
        case looking
        case connecting(path: String)
        case resolving(path: String)
        case asking(path: String)
        case listening(path: String)
        /// Ends its subscriptions, and then the link, unless somebody else uses it.
        case leaving(path: String)
        case ended
    }

    /// How long a device is looked for.
    static let lookSeconds = 20.0

    let address: BluetoothAddress
    let policy: LinkPolicy
    var state = State.looking
    var discoveries: [String: Discovery] = [:]
    var characteristics: [String: BluetoothInspector.Characteristic] = [:]
    var questions: [Request] = []
    var deadline: BootInstant?
    var reading: String?
    /// Whether the link was made by a `Connect` of ours, or may yet be: only such a link is ended here.
    var isOurs = false
    /// The characteristics that were subscribed to.
    var subscribed: Set<String> = []
    /// By path: other programs' subscriptions make bluetoothd tell everything more than once.
    var copies: [String: DuplicateNotificationFilter] = [:]

    init(address: BluetoothAddress, policy: LinkPolicy) {
        self.address = address
        self.policy = policy
    }

    var wakeTime: BootInstant? {
        guard !isOver else { return nil }
        return ([deadline] + discoveries.values.map(\.wakeTime)).compactMap { $0 }.min()
    }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard !isOver else { return leave(event, in: tree) }
        let actions: [Action] =
            switch event {
            case .available: begin(in: tree, at: now)
            case .unavailable(let error), .closed(let error): end(error)
            case .changed(let change): take(change, in: tree, at: now)
            case .finished(let request, let result): finish(request, result, in: tree, at: now)
            case .timer: timerFired(at: now)
            case .stop: stop(in: tree)
            }
        return actions + steer(at: now)
    }

    /// Whether nothing is wanted any more but a tidy end.
    private var isOver: Bool {
        switch state {
        case .leaving, .ended: true
        default: false
        }
    }

    private mutating func begin(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        guard tree.adapters.contains(where: \.isPowered) else {
            let trouble: CentralTrouble =
                tree.adapters.first.map { .adapterOff($0.name) } ?? .noAdapter(named: nil)
            return end(trouble.error(isBlocked: nil))
        }
        deadline = now.adding(seconds: Self.lookSeconds)
        adaptersChanged(in: tree)
        return [.output(.looking)]
            + tree.devices.flatMap { consider($0, in: tree, at: now) }
    }

    /// Looks with every adapter that is on.
    mutating func adaptersChanged(in tree: ManagedObjects) {
        let powered = tree.adapters.filter(\.isPowered).map(\.path)
        let steered = powered.map { ($0, discoveries[$0] ?? Discovery()) }
        discoveries = Dictionary(steered) { first, _ in first }
    }

    /// Looks until the device is found.
    private mutating func steer(at now: BootInstant) -> [Action] {
        discoveries.keys.sorted().compactMap { path in
            discoveries[path]?.steer(isWanted: state == .looking, at: now).map {
                call($0, on: path)
            }
        }
    }

    /// Connects the device that is looked for as soon as it is heard.
    mutating func consider(
        _ device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard state == .looking, device.address == address, device.isAround else { return [] }
        let progress = Action.output(.connecting(name: device.name))
        guard !device.isConnected else {
            return [progress] + resolve(device.path, in: tree, at: now)
        }
        isOurs = true
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
        return ask(in: tree)
    }

    /// Asks for everything as soon as the device's services are known.
    mutating func ask(in tree: ManagedObjects) -> [Action] {
        guard case .resolving(let path) = state, let device = tree.device(at: path),
            device.isResolved
        else { return [] }
        let found = tree.characteristics(of: path).map(BluetoothInspector.Characteristic.init)
        characteristics = Dictionary(found.map { ($0.path, $0) }) { first, _ in first }
        questions =
            found.filter { $0.flags.contains("read") }.map { .read($0.path) }
            + found.filter { !Set($0.flags).isDisjoint(with: ["notify", "indicate"]) }.map {
                .subscribe($0.path)
            }
        state = .asking(path: path)
        deadline = nil
        return [.output(.offers(name: device.name, tree.offered(found, by: path)))] + askNext()
    }

    mutating func askNext() -> [Action] {
        guard case .asking(let device) = state else { return [] }
        guard !questions.isEmpty else {
            state = .listening(path: device)
            return [.output(.listening)]
        }
        let question = questions.removeFirst()
        switch question {
        case .read(let path):
            reading = path
            return [.call(question, call("ReadValue", on: path, [.properties([:])]))]
        case .subscribe(let path): return [.call(question, call("StartNotify", on: path, []))]
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
    /// The services of a device, each with those of the characteristics that belong to it.
    fileprivate func offered(
        _ characteristics: [BluetoothInspector.Characteristic], by devicePath: String
    ) -> [BluetoothInspector.Service] {
        paths(with: BlueZName.gattService, under: devicePath).compactMap { path in
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
    var canBeLost: Bool { if case .notified = self { true } else { false } }
}
