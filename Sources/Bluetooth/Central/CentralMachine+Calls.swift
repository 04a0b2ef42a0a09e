package import DBus
import GatewayCore
import Platform

/// Calls to bluetoothd and their answers.
extension CentralMachine {
    /// Translates the actions of a link to outputs and D-Bus calls.
    mutating func translate(
        _ actions: [Link.Action], of address: BluetoothAddress, in tree: ManagedObjects
    ) -> [Action] {
        actions.compactMap { action in
            switch action {
            case .report(let content): return .output(.report(address, content))
            case .note(let text): return .output(.note(address, text))
            case .requiresPairing(let reason): return .output(.requiresPairing(address, reason))
            case .keepsFailing(let reason, let count):
                return .output(.keepsFailing(address, reason: reason, count: count))
            case .program(let channel, let input): return .output(.program(address, channel, input))
            case .restartDiscovery:
                isPlanOutdated = true
                for path in discoveries.keys { discoveries[path]?.requestRestart() }
                return nil
            case .perform(let operation): return perform(operation, on: address, in: tree)
            }
        }
    }

    /// Makes the call of an operation; the object may be gone already, then the answer is an error.
    private func perform(
        _ operation: Link.Operation, on address: BluetoothAddress, in tree: ManagedObjects
    ) -> Action? {
        guard let path = linkPaths[address], let attempt = links.read(address, \.attempt)
        else { return nil }
        // Removing a paired device would remove its bond.
        if operation == .remove, tree.device(at: path)?.isPaired != false { return nil }
        return .call(.link(address, operation, attempt: attempt), call(operation, on: path))
    }

    private func call(_ operation: Link.Operation, on path: String) -> BlueZCall {
        switch operation {
        case .connect:
            // The deadline of the link comes first, and its `Disconnect` ends the call.
            let seconds = policy.connectSeconds + policy.disconnectSeconds
            return device("Connect", path, seconds)
        case .disconnect: return device("Disconnect", path, policy.disconnectSeconds)
        case .remove:
            return BlueZCall(
                path: Self.adapterPath(of: path), interface: BlueZName.adapter,
                member: "RemoveDevice",
                body: [.objectPath(path)], timeoutSeconds: policy.operationSeconds)
        case .gatt(.read(let path)):
            return characteristic("ReadValue", path, [.properties([:])])
        case .gatt(.write(let path, let bytes)):
            let options = BusValue.properties(["type": .string("request")])
            return characteristic("WriteValue", path, [.bytes(bytes), options])
        case .gatt(.subscribe(let path)): return characteristic(BlueZName.startNotify, path, [])
        case .gatt(.acquire(let path)):
            return characteristic(BlueZName.acquireNotify, path, [.properties([:])])
        case .gatt(.unsubscribe(let path)): return characteristic(BlueZName.stopNotify, path, [])
        }
    }

    func device(_ member: String, _ path: String, _ seconds: Double) -> BlueZCall {
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

    /// Handles the answer to a call.
    mutating func finish(
        _ request: Request, _ result: Result<[BusValue], BusError>, in tree: ManagedObjects,
        at now: BootInstant
    ) -> [Action] {
        switch request {
        // Without an agent only devices that require pairing are missing; their links report it.
        case .registerAgent, .endLeftover: return []
        case .discovery(let path, let step):
            isPlanOutdated = true
            return discoveryAnswered(step, on: path, result.error, at: now)
        case .link(let address, let operation, let attempt):
            // Answers to an earlier attempt are ignored.
            guard links.read(address, \.attempt) == attempt else { return [] }
            if operation == .connect { noteConnectionLimit(address, result.error, at: now) }
            return move(address, in: tree, at: now) { link in
                switch operation {
                case .connect: link.connectAnswered(result.error, at: now)
                case .disconnect: link.disconnectAnswered(at: now)
                case .remove: []
                case .gatt(let question):
                    link.answered(question, result.map { $0.first?.bytes ?? [] }, at: now)
                }
            }
        }
    }
}

extension Result<[BusValue], BusError> {
    /// The error of a failure; nil for a success.
    package var error: BusError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
