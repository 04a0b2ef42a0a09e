import DBus
import GatewayCore
import Platform

/// What bluetoothd says.
extension InspectMachine {
    mutating func take(
        _ change: ManagedObjects.Change, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch change {
        case .changed(let path, BlueZName.gattCharacteristic, let properties, _):
            guard path != reading, let characteristic = characteristics[path],
                let value = properties["Value"]?.bytes,
                !copies[path, default: DuplicateNotificationFilter()].isCopy(value, at: now)
            else { return [] }
            return [.output(.notified(characteristic, value, at: now))]
        case .added(let path, BlueZName.device), .changed(let path, BlueZName.device, _, _):
            return tree.device(at: path).map { deviceChanged($0, in: tree, at: now) } ?? []
        case .removed(let path, BlueZName.device) where path == devicePath:
            isOurs = false
            return end(LinkError("\(address) is not heard any more"))
        case .added(_, BlueZName.adapter), .changed(_, BlueZName.adapter, _, _),
            .removed(_, BlueZName.adapter):
            adaptersChanged(in: tree)
            return []
        default: return []
        }
    }

    var devicePath: String? {
        switch state {
        case .connecting(let path), .resolving(let path), .asking(let path),
            .listening(let path), .leaving(let path):
            path
        case .looking, .ended: nil
        }
    }

    private mutating func deviceChanged(
        _ device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch state {
        case .looking: return consider(device, in: tree, at: now)
        case .resolving, .asking, .listening:
            guard device.path == devicePath else { return [] }
            guard device.isConnected else {
                // Who else wants the device may be connecting it already.
                isOurs = false
                return end(LinkError("the link to \(address) was lost"))
            }
            return ask(in: tree)
        case .connecting(let path):
            // Somebody else makes the link.
            guard !isOurs, device.path == path, device.isConnected else { return [] }
            return resolve(path, in: tree, at: now)
        case .leaving, .ended: return []
        }
    }

    mutating func finish(
        _ request: Request, _ result: Result<[BusValue], BusError>, in tree: ManagedObjects,
        at now: BootInstant
    ) -> [Action] {
        switch request {
        case .discovery(let path, let step):
            let next = discoveries[path]?.answered(step, result.error, at: now)
            return next.map { [call($0, on: path)] } ?? []
        case .connect:
            return connectAnswered(result.error, in: tree, at: now)
        case .disconnect, .unsubscribe: return []
        case .read(let path), .subscribe(let path):
            reading = nil
            guard let characteristic = characteristics[path] else { return [] }
            if case .subscribe = request, result.error == nil { subscribed.insert(path) }
            return answer(request, characteristic, result) + askNext()
        }
    }

    private mutating func connectAnswered(
        _ error: BusError?, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard case .connecting(let path) = state else { return [] }
        if error != nil { isOurs = false }
        guard let error, let failure = ConnectFailure(error) else {
            return resolve(path, in: tree, at: now)
        }
        // It is waited for, as long as for an attempt of our own.
        if failure == .underWay {
            return tree.device(at: path).map { deviceChanged($0, in: tree, at: now) } ?? []
        }
        return end(LinkError("cannot connect \(address): \(error)"))
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
                LinkError("\(address) is not heard", remedy: BluetoothInspector.silenceRemedy))
        case .connecting: end(LinkError("\(address) does not answer"))
        default: end(LinkError("the services of \(address) were not found"))
        }
    }

    /// Something is wrong: nobody listens over a link that never came so far.
    mutating func end(_ error: LinkError) -> [Action] {
        let last = disconnect()
        state = .ended
        discoveries = [:]
        return last + [.end(error)]
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
