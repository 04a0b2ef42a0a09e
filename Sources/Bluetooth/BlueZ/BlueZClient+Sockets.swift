import DBus

/// The sockets over which bluetoothd sends acquired notifications.
extension BlueZClient {
    /// Receives what an answered `AcquireNotify` has brought, until bluetoothd closes the socket
    /// or is gone, or the values come over the bus or not at all.
    func noteAnswer(_ call: BusCall, _ result: Result<[BusValue], BusError>) {
        switch call.member {
        case BlueZName.acquireNotify:
            guard let descriptor = try? result.get().first?.descriptor else { return }
            watch(descriptor, of: call.path)
        case BlueZName.startNotify, BlueZName.stopNotify:
            drainSockets(below: call.path)
            watches[call.path] = nil
        default: break
        }
    }

    /// Whether a change is a value that another program has read or subscribed to; ours comes over
    /// the socket.
    func isCopy(_ change: ManagedObjects.Change) -> Bool {
        guard !watches.isEmpty, case .changed(let path, _, let properties, _) = change else {
            return false
        }
        return watches[path] != nil && properties["Value"] != nil
    }

    /// Receives the values that wait in the sockets of the objects below a path: they were sent
    /// before what is handled next, which may end their links.
    func drainSockets(below path: String = "/") {
        // An ended socket removes itself; this loop has its own copy.
        for (object, watch) in watches where object.hasPrefix(path) { watch.drain() }
    }

    private func watch(_ descriptor: BusDescriptor, of path: String) {
        watches[path] = PacketWatch(descriptor, on: loop) { [weak self] value in
            self?.assumeIsolated { $0.receive(value, of: path) }
        } ended: { [weak self] in
            self?.assumeIsolated { $0.socketEnded(descriptor, of: path) }
        }
    }

    /// A value is the same event as one that came over the bus.
    private func receive(_ value: [UInt8], of path: String) {
        let change = objects.set(
            ["Value": .bytes(value)], of: BlueZName.gattCharacteristic, at: path)
        if let change { handle(.changed(change)) }
    }

    private func socketEnded(_ descriptor: BusDescriptor, of path: String) {
        // The same characteristic may have been acquired again meanwhile.
        guard watches[path]?.descriptor === descriptor else { return }
        watches[path] = nil
        let change = objects.set(
            ["NotifyAcquired": .boolean(false)], of: BlueZName.gattCharacteristic, at: path)
        if let change { handle(.changed(change)) }
    }
}
