import Bluetooth
import DBus
import GatewayCore

/// Disconnecting without disturbing other programs.
///
/// A link that existed before is not ended. A link that was made here is ended, unless another
/// program uses it meanwhile: then the device continues to notify after our own subscriptions have
/// ended (`Notifying`).
extension InspectMachine {
    /// Stops: ends the subscriptions first.
    mutating func stop(in tree: ManagedObjects) -> [Action] {
        switch state {
        case .resolving(let path), .querying(let path), .listening(let path):
            state = .disconnecting(path: path)
        case .scanning, .connecting, .disconnecting, .ended:
            // Cancel the attempt, otherwise it continues in bluetoothd.
            defer { state = .ended }
            return disconnect()
        }
        guard !subscribed.isEmpty else { return releaseLink(in: tree) }
        return subscribed.sorted().map { path in
            .call(.unsubscribe(path), call("StopNotify", on: path, []))
        }
    }

    /// Ends the link after the last subscription has ended, unless another program uses it.
    mutating func continueDisconnecting(_ event: BlueZEvent<Request>, in tree: ManagedObjects)
        -> [Action]
    {
        guard case .disconnecting = state, case .finished(.unsubscribe(let path), _) = event,
            subscribed.remove(path) != nil, subscribed.isEmpty
        else { return [] }
        return releaseLink(in: tree)
    }

    private mutating func releaseLink(in tree: ManagedObjects) -> [Action] {
        defer { state = .ended }
        guard let path = devicePath, tree.device(at: path)?.isConnected == true,
            !tree.isNotifying(under: path)
        else { return [] }
        return disconnect()
    }

    func disconnect() -> [Action] {
        guard isOwnLink, let path = devicePath else { return [] }
        return [.call(.disconnect, call("Disconnect", on: path, policy.disconnectSeconds))]
    }
}
