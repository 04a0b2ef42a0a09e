import DBus
import GatewayCore

/// The end that leaves everybody else what they have.
///
/// A link that was there already is left as it was found. One that was made here is ended, unless
/// another program has come to use it meanwhile: then the device goes on notifying after our own
/// subscriptions have ended, which bluetoothd shows (`Notifying`).
extension InspectMachine {
    /// It is time to end: first the subscriptions do.
    mutating func stop(in tree: ManagedObjects) -> [Action] {
        switch state {
        case .resolving(let path), .asking(let path), .listening(let path):
            state = .leaving(path: path)
        case .looking, .connecting, .leaving, .ended:
            // An attempt is withdrawn, else it would go on in bluetoothd.
            defer { state = .ended }
            return disconnect()
        }
        guard !subscribed.isEmpty else { return leaveLink(in: tree) }
        return subscribed.sorted().map { path in
            .call(.unsubscribe(path), call("StopNotify", on: path, []))
        }
    }

    /// When the subscriptions have ended, the link does, if it may.
    mutating func leave(_ event: BlueZEvent<Request>, in tree: ManagedObjects) -> [Action] {
        guard case .leaving = state, case .finished(.unsubscribe(let path), _) = event,
            subscribed.remove(path) != nil, subscribed.isEmpty
        else { return [] }
        return leaveLink(in: tree)
    }

    private mutating func leaveLink(in tree: ManagedObjects) -> [Action] {
        defer { state = .ended }
        guard let path = devicePath, tree.device(at: path)?.isConnected == true,
            !tree.isNotifying(under: path)
        else { return [] }
        return disconnect()
    }

    func disconnect() -> [Action] {
        guard isOurs, let path = devicePath else { return [] }
        return [.call(.disconnect, call("Disconnect", on: path, policy.disconnectSeconds))]
    }
}

extension ManagedObjects {
    /// Whether any program has subscribed to something of a device.
    fileprivate func isNotifying(under devicePath: String) -> Bool {
        paths(with: BlueZName.gattCharacteristic, under: devicePath).contains { path in
            properties(path, BlueZName.gattCharacteristic)?["Notifying"]?.boolean == true
        }
    }
}
