import DBus
import GatewayCore

/// What bluetoothd says.
extension InspectMachine {
    mutating func take(
        _ change: ObjectTree.Change, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        switch change {
        case .changed(let path, BlueZName.gattCharacteristic, let properties, _):
            guard path != reading, let characteristic = characteristics[path],
                let value = properties["Value"]?.bytes
            else { return [] }
            return [.output(.notified(characteristic, value, at: now))]
        case .added(let path, BlueZName.device), .changed(let path, BlueZName.device, _, _):
            return tree.device(at: path).map { deviceChanged($0, in: tree, at: now) } ?? []
        case .removed(let path, BlueZName.device) where path == devicePath:
            return end(LinkError("\(address) is not heard any more"))
        case .added(_, BlueZName.adapter), .changed(_, BlueZName.adapter, _, _),
            .removed(_, BlueZName.adapter):
            adaptersChanged(in: tree)
            return []
        default: return []
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
        _ device: BlueZDevice, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        switch state {
        case .looking: return consider(device, in: tree, at: now)
        case .resolving, .asking, .listening:
            guard device.path == devicePath else { return [] }
            guard device.isConnected else {
                return end(LinkError("the link to \(address) was lost"))
            }
            return ask(in: tree)
        case .connecting, .ended: return []
        }
    }

    mutating func finish(
        _ request: Request, _ result: Result<[BusValue], BusError>, in tree: ObjectTree,
        at now: BootInstant
    ) -> [Action] {
        switch request {
        case .discovery(let path, let step):
            let next = discoveries[path]?.answered(step, result.error, at: now)
            return next.map { [call($0, on: path)] } ?? []
        case .connect:
            guard case .connecting(let path) = state else { return [] }
            if let error = result.error, ConnectFailure(error) != nil {
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

    mutating func timerFired(at now: BootInstant) -> [Action] {
        guard let due = deadline, due <= now else { return [] }
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

    mutating func end(_ error: LinkError) -> [Action] {
        let last = disconnect()
        state = .ended
        discoveries = [:]
        return last + [.end(error)]
    }

    mutating func stop() -> [Action] {
        let last = disconnect()
        state = .ended
        return last
    }

    private func disconnect() -> [Action] {
        guard isOurs, let path = devicePath else { return [] }
        return [.call(.disconnect, call("Disconnect", on: path, policy.disconnectSeconds))]
    }

    func call(_ step: Discovery.Step, on path: String) -> Action {
        .call(
            .discovery(adapter: path, step),
            step.call(on: path, filter: ["Transport": .string("le")]))
    }

    func call(_ member: String, on path: String, _ seconds: Double) -> BlueZCall {
        BlueZCall(
            path: path, interface: BlueZName.device, member: member, timeoutSeconds: seconds)
    }

    func call(_ member: String, on path: String, _ body: [BusValue]) -> BlueZCall {
        BlueZCall(
            path: path, interface: BlueZName.gattCharacteristic, member: member, body: body,
            timeoutSeconds: policy.operationSeconds)
    }
}
