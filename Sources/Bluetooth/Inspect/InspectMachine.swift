import DBus
import GatewayCore

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
    }

    typealias Output = BluetoothInspector.Event
    typealias Action = BlueZAction<Request, Output>

    enum State: Hashable {
        case looking
        case connecting(path: String)
        case resolving(path: String)
        case asking(path: String)
        case listening(path: String)
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
    /// Whether the link was made here, and so is ended here: another program may use one that was there.
    var isOurs = false

    init(address: BluetoothAddress, policy: LinkPolicy) {
        self.address = address
        self.policy = policy
    }

    var wakeTime: BootInstant? {
        ([deadline] + discoveries.values.map(\.wakeTime)).compactMap { $0 }.min()
    }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        guard state != .ended else { return [] }
        switch event {
        case .available: return begin(in: tree, at: now)
        case .unavailable(let error), .closed(let error): return end(error)
        case .changed(let change): return take(change, in: tree, at: now)
        case .finished(let request, let result):
            return finish(request, result, in: tree, at: now)
        case .timer:
            guard let deadline, deadline <= now else { return look(in: tree, at: now) }
            return timedOut()
        case .stop: return stop(at: now)
        }
    }

    private mutating func begin(in tree: ObjectTree, at now: BootInstant) -> [Action] {
        guard tree.adapters.contains(where: \.isPowered) else {
            let trouble: CentralTrouble =
                tree.adapters.first.map { .adapterOff($0.name) } ?? .noAdapter(named: nil)
            return end(trouble.error(isBlocked: nil))
        }
        deadline = now.adding(seconds: Self.lookSeconds)
        return [.output(.progress("looking for \(address)"))] + look(in: tree, at: now)
    }

    /// Looks for the device, and connects it as soon as it is heard.
    mutating func look(in tree: ObjectTree, at now: BootInstant) -> [Action] {
        guard state == .looking else { return [] }
        let heard = tree.devices.first {
            $0.address == address && ($0.isConnected || $0.signalStrength != nil)
        }
        if let heard { return connect(heard, in: tree, at: now) }
        return tree.adapters.filter(\.isPowered).compactMap { adapter in
            discoveries[adapter.path, default: Discovery()].steer(isWanted: true, at: now).map {
                call($0, on: adapter.path)
            }
        }
    }

    private mutating func connect(
        _ device: BlueZDevice, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        let progress = Action.output(.progress("connecting \(device.name ?? "\(address)")"))
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
        _ path: String, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        state = .resolving(path: path)
        deadline = now.adding(seconds: policy.resolveSeconds)
        return ask(in: tree)
    }

    /// Asks for everything as soon as the device's services are known.
    mutating func ask(in tree: ObjectTree) -> [Action] {
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

extension ObjectTree {
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
