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

    mutating func timedOut() -> [Action] {
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
        deadline = nil
        discoveries = [:]
        return last + [.end(error)]
    }

    mutating func stop(at now: BootInstant) -> [Action] {
        let steps = discoveries.keys.sorted().compactMap { path in
            discoveries[path]?.steer(isWanted: false, at: now).map { call($0, on: path) }
        }
        let last = disconnect()
        state = .ended
        return last + steps
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
