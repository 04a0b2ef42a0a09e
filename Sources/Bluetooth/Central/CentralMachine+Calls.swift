import DBus
import GatewayCore
import Platform

/// What is asked of bluetoothd, and what its answers mean.
extension CentralMachine {
    /// What a link wants, in BlueZ's words.
    mutating func translate(
        _ actions: [Link.Action], of address: BluetoothAddress, in tree: ManagedObjects
    ) -> [Action] {
        actions.compactMap { action in
            switch action {
            case .report(let content): return .output(.report(address, content))
            case .note(let text): return .output(.note(address, text))
            case .lookAgain:
                isPlanOutdated = true
                for path in discoveries.keys { discoveries[path]?.beginAnew() }
                return nil
            case .perform(let operation): return perform(operation, on: address, in: tree)
            }
        }
    }

    /// The object that the call is made on may be gone already: then the answer says so.
    private func perform(
        _ operation: Link.Operation, on address: BluetoothAddress, in tree: ManagedObjects
    ) -> Action? {
        guard let path = linkPaths[address], let attempt = links[address]?.attempt
        else { return nil }
        // The bond of a paired device would be removed with it.
        if operation == .remove, tree.device(at: path)?.isPaired != false { return nil }
        return .call(.link(address, operation, attempt: attempt), call(operation, on: path))
    }

    private func call(_ operation: Link.Operation, on path: String) -> BlueZCall {
        switch operation {
        case .connect:
            // The link's own deadline comes first; BlueZ then ends the call.
            let seconds = policy.connectSeconds + policy.disconnectSeconds
            return device("Connect", path, seconds)
        case .disconnect: return device("Disconnect", path, policy.disconnectSeconds)
        case .remove:
            return BlueZCall(
                path: Self.adapterPath(of: path), interface: BlueZName.adapter,
                member: "RemoveDevice",
                body: [.objectPath(path)], timeoutSeconds: policy.operationSeconds)
        case .converse(.read(let path)):
            return characteristic("ReadValue", path, [.properties([:])])
        case .converse(.write(let path, let bytes)):
            let options = BusValue.properties(["type": .string("request")])
            return characteristic("WriteValue", path, [.bytes(bytes), options])
        case .converse(.subscribe(let path)): return characteristic("StartNotify", path, [])
        case .converse(.unsubscribe(let path)): return characteristic("StopNotify", path, [])
        }
    }

    private func device(_ member: String, _ path: String, _ seconds: Double) -> BlueZCall {
        BlueZCall(
            path: path, interface: BlueZName.device, member: member, timeoutSeconds: seconds)
    }

    private func characteristic(
        _ member: String, _ path: String, _ body: [BusValue]
    ) -> BlueZCall {
        BlueZCall(
            path: path, interface: BlueZName.gattCharacteristic, member: member, body: body,
            timeoutSeconds: policy.operationSeconds)
    }

    /// bluetoothd has answered.
    mutating func finish(
        _ request: Request, _ result: Result<[BusValue], BusError>, in tree: ManagedObjects,
        at now: BootInstant
    ) -> [Action] {
        switch request {
        case .discovery(let path, let step):
            isPlanOutdated = true
            let next = discoveries[path]?.answered(step, result.error, at: now)
            return next.map { [call($0, on: path)] } ?? []
        case .link(let address, let operation, let attempt):
            // What an earlier attempt asked for is of no interest any more.
            guard links[address]?.attempt == attempt else { return [] }
            return move(address, in: tree, at: now) { link in
                switch operation {
                case .connect: link.connectAnswered(result.error, at: now)
                case .disconnect: link.disconnectAnswered(at: now)
                case .remove: []
                case .converse(let question):
                    link.answered(question, result.map { $0.first?.bytes ?? [] }, at: now)
                }
            }
        }
    }
}

extension Result<[BusValue], BusError> {
    /// The error, if it is one.
    var error: BusError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
