import GatewayCore

/// Links that belong to this source although it did not make them in this run.
///
/// bluetoothd keeps a link when the program that made it is killed. The next run continues with
/// such a link as its own, so that it does not stay connected for ever.
extension CentralMachine {
    /// The outputs for the links that have become this source's own, and those that no longer are.
    mutating func ownershipChanges() -> [Action] {
        links.removeOwnershipChanges().sorted().map { address in
            let daemon = links.own.contains(address) ? self.daemon : nil
            return .output(.ownLink(address, daemon: daemon))
        }
    }

    /// Continues with the earlier links that this bluetoothd still has.
    mutating func resumeEarlierLinks(in tree: ManagedObjects) -> [Action] {
        guard !earlierLinks.isEmpty else { return [] }
        defer { (earlierLinks, interruptedLinks) = ([:], []) }
        let connected = Dictionary(
            tree.devices.filter(\.isConnected).map { ($0.address, $0) },
            uniquingKeysWith: { first, _ in first })
        return earlierLinks.keys.sorted().flatMap { address in
            let device = earlierLinks[address] == tree.daemon ? connected[address] : nil
            return resume(address, device, in: tree)
        }
    }

    /// - Parameter device: The connected device; nil when the link has ended.
    private mutating func resume(
        _ address: BluetoothAddress, _ device: BlueZDevice?, in tree: ManagedObjects
    ) -> [Action] {
        let forget = Action.output(.ownLink(address, daemon: nil))
        // The subscriptions of an earlier run have ended with it, so these are of another program.
        guard let device,
            interruptedLinks.contains(address) || !tree.isNotifying(under: device.path)
        else { return [forget] }
        guard addresses[device.path] == address else { return [endLeftover(device.path), forget] }
        _ = links.update(address, path: linkPaths[address]) { $0.isOwnLink = true }
        return []
    }

    /// Ends an own link that exists but is not in use: it waits for its next attempt.
    func endIdleLink(to address: BluetoothAddress, in tree: ManagedObjects) -> [Action] {
        guard links.own.contains(address), linkPaths[address] == nil else { return [] }
        let connected = (paths[address] ?? []).filter { tree.device(at: $0)?.isConnected == true }
        return connected.sorted().map(endLeftover)
    }

    private func endLeftover(_ path: String) -> Action {
        .call(.endLeftover, device("Disconnect", path, policy.disconnectSeconds))
    }
}
