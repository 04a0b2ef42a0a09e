import Bluetooth
import DBus
import GatewayCore
import Platform

/// Changes of objects and answers to calls.
extension InspectMachine {
    mutating func handle(
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
            isOwnLink = false
            return end(LinkError("\(address) is no longer in range"))
        case .added(_, BlueZName.adapter), .changed(_, BlueZName.adapter, _, _),
            .removed(_, BlueZName.adapter):
            adaptersChanged(in: tree)
            return []
        default: return []
        }
    }

    var devicePath: String? {
        switch state {
        case .connecting(let path), .resolving(let path), .querying(let path),
            .listening(let path), .disconnecting(let path):
            path
        case .scanning, .ended: nil
        }
    }

    private mutating func deviceChanged(
        _ device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch state {
        case .scanning: return consider(device, in: tree, at: now)
        case .resolving, .querying, .listening:
            guard device.path == devicePath else { return [] }
            guard device.isConnected else {
                // Another program may already be connecting the device.
                isOwnLink = false
                return end(LinkError("link to \(address) lost"))
            }
            return queryAll(in: tree)
        case .connecting(let path):
            // Another program is making the link.
            guard !isOwnLink, device.path == path, device.isConnected else { return [] }
            return resolve(path, in: tree, at: now)
        case .disconnecting, .ended: return []
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
            return answer(request, characteristic, result) + sendNext()
        }
    }

    private mutating func connectAnswered(
        _ error: BusError?, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard case .connecting(let path) = state else { return [] }
        if error != nil { isOwnLink = false }
        guard let error, let failure = ConnectFailure(error) else {
            return resolve(path, in: tree, at: now)
        }
        // Wait for it as long as for our own attempt.
        if failure == .underWay {
            return tree.device(at: path).map { deviceChanged($0, in: tree, at: now) } ?? []
        }
        return end(LinkError("cannot connect to \(address): \(error)"))
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
        case .scanning:
            end(
                LinkError("\(address) was not seen", remedy: BluetoothInspector.notSeenRemedy))
        case .connecting: end(LinkError("\(address) does not respond"))
        default: end(LinkError("service discovery on \(address) timed out"))
        }
    }

    /// Ends with an error, and disconnects a link that was made here.
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
