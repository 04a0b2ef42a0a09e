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

    private enum State: Hashable {
        case looking
        case connecting(path: String)
        case resolving(path: String)
        case asking(path: String)
        case listening(path: String)
        case ended
    }

    /// How long a device is looked for.
    static let lookSeconds = 20.0

    private let address: BluetoothAddress
    private let policy: LinkPolicy
    private var state = State.looking
    private var discoveries: [String: Discovery] = [:]
    private var characteristics: [String: BluetoothInspector.Characteristic] = [:]
    private var questions: [Request] = []
    private var deadline: BootInstant?
    private var reading: String?

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
        case .unavailable(let error): return end(error)
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
    private mutating func look(in tree: ObjectTree, at now: BootInstant) -> [Action] {
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
        state = .connecting(path: device.path)
        deadline = now.adding(seconds: policy.connectSeconds)
        return [
            progress, .call(.connect, call("Connect", on: device.path, policy.connectSeconds + 5)),
        ]
    }

    private mutating func resolve(
        _ path: String, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        state = .resolving(path: path)
        deadline = now.adding(seconds: policy.resolveSeconds)
        return ask(in: tree)
    }

    /// Asks for everything as soon as the device's services are known.
    private mutating func ask(in tree: ObjectTree) -> [Action] {
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

    private mutating func askNext() -> [Action] {
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

/// What bluetoothd says.
extension InspectMachine {
    private mutating func take(
        _ change: ObjectTree.Change, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        switch change {
        case .changed(let path, BlueZName.gattCharacteristic, let properties, _):
            guard path != reading, let characteristic = characteristics[path],
                let value = properties["Value"]?.bytes
            else { return [] }
            return [.output(.notified(characteristic, value, at: now))]
        case .changed(let path, BlueZName.device, _, _):
            return deviceChanged(path, in: tree, at: now)
        case .removed(let path, _) where path == devicePath:
            return end(LinkError("\(address) is not heard any more"))
        default: return look(in: tree, at: now)
        }
    }

    private var devicePath: String? {
        switch state {
        case .connecting(let path), .resolving(let path), .asking(let path),
            .listening(let path):
            path
        case .looking, .ended: nil
        }
    }

    private mutating func deviceChanged(
        _ path: String, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        guard path == devicePath, let device = tree.device(at: path) else {
            return look(in: tree, at: now)
        }
        switch state {
        case .connecting: return []
        case .resolving, .asking, .listening:
            guard device.isConnected else {
                return end(LinkError("the link to \(address) was lost"))
            }
            return ask(in: tree)
        case .looking, .ended: return []
        }
    }

    private mutating func finish(
        _ request: Request, _ result: Result<[BusValue], BusError>, in tree: ObjectTree,
        at now: BootInstant
    ) -> [Action] {
        switch request {
        case .discovery(let path, let step):
            let next = discoveries[path]?.answered(step, result.error, at: now)
            return next.map { [call($0, on: path)] } ?? []
        case .connect:
            guard case .connecting(let path) = state else { return [] }
            if let error = result.error {
                return end(LinkError("cannot connect \(address): \(error)"))
            }
            return resolve(path, in: tree, at: now)
        case .disconnect: return []
        case .read(let path), .subscribe(let path):
            reading = nil
            guard let characteristic = characteristics[path] else { return [] }
            return answer(request, characteristic, result) + askNext()
        }
    }

    private func answer(
        _ request: Request, _ characteristic: BluetoothInspector.Characteristic,
        _ result: Result<[BusValue], BusError>
    ) -> [Action] {
        switch result {
        case .failure(let error): return [.output(.refused(characteristic, "\(error)"))]
        case .success(let body):
            guard case .read = request, let value = body.first?.bytes else { return [] }
            return [.output(.read(characteristic, value))]
        }
    }

    private mutating func timedOut() -> [Action] {
        deadline = nil
        return switch state {
        case .looking:
            end(
                LinkError(
                    "\(address) is not heard",
                    mend: "switch it on, bring it nearer, and end other links to it"))
        case .connecting: end(LinkError("\(address) does not answer"))
        default: end(LinkError("the services of \(address) were not found"))
        }
    }

    private mutating func end(_ error: LinkError) -> [Action] {
        let last = disconnect()
        state = .ended
        deadline = nil
        discoveries = [:]
        return last + [.end(error)]
    }

    private mutating func stop(at now: BootInstant) -> [Action] {
        let steps = discoveries.keys.sorted().compactMap { path in
            discoveries[path]?.steer(isWanted: false, at: now).map { call($0, on: path) }
        }
        let last = disconnect()
        state = .ended
        return last + steps
    }

    private func disconnect() -> [Action] {
        guard let path = devicePath else { return [] }
        return [.call(.disconnect, call("Disconnect", on: path, policy.disconnectSeconds))]
    }

    private func call(_ step: Discovery.Step, on path: String) -> Action {
        .call(
            .discovery(adapter: path, step),
            step.call(on: path, filter: ["Transport": .string("le")]))
    }

    private func call(_ member: String, on path: String, _ seconds: Double) -> BlueZCall {
        BlueZCall(
            path: path, interface: BlueZName.device, member: member, timeoutSeconds: seconds)
    }

    private func call(_ member: String, on path: String, _ body: [BusValue]) -> BlueZCall {
        BlueZCall(
            path: path, interface: BlueZName.gattCharacteristic, member: member, body: body,
            timeoutSeconds: policy.operationSeconds)
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
