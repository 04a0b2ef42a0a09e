import DBus
import GatewayCore
import Platform

/// Changes of devices, and the links that react to them.
extension CentralMachine {
    /// Handles a change of an object.
    mutating func handle(
        _ change: ManagedObjects.Change, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        isPlanOutdated = isPlanOutdated || change.isOfDeviceOrAdapter
        switch change {
        case .changed(let path, BlueZName.gattCharacteristic, let properties, _):
            guard let address = owners[path] else { return [] }
            if properties["NotifyAcquired"]?.boolean == false {
                return move(address, in: tree, at: now) { $0.released(path, at: now) }
            }
            guard let value = properties["Value"]?.bytes else { return [] }
            return move(address, in: tree, at: now) { $0.received(value, from: path, at: now) }
        case .added(let path, BlueZName.battery), .changed(let path, BlueZName.battery, _, _):
            guard let address = tree.device(at: path)?.address, linkPaths[address] == path,
                let percentage = tree.batteryPercentage(at: path)
            else { return [] }
            return move(address, in: tree, at: now) { $0.battery(percentage, at: now) }
        case .added(let path, BlueZName.device):
            defer { requeue(path, in: tree) }
            guard let device = tree.device(at: path) else { return [] }
            return removeOther(than: device, in: tree, at: now)
                + consider(device, in: tree, at: now)
        case .changed(let path, BlueZName.device, let properties, _):
            defer { requeue(path, in: tree) }
            guard let device = tree.device(at: path) else { return [] }
            return changed(device, properties.keys, in: tree, at: now)
        case .removed(let path, BlueZName.device): return removed(path, in: tree, at: now)
        case .added(let path, BlueZName.adapter), .changed(let path, BlueZName.adapter, _, _),
            .removed(let path, BlueZName.adapter):
            return adapterChanged(path, in: tree, at: now)
        default: return []
        }
    }

    /// Handles a device object that was added or updated: creates its link if it is selected, and
    /// notes that it was seen.
    mutating func consider(
        _ device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let address = device.address
        guard selection.accepts(address, offering: device.services, wanted: services),
            let adapter = adapters[device.adapterPath]
        else { return [] }
        var actions: [Action] = []
        if !links.contains(address) {
            // A device that is not named and only remembered by bluetoothd needs no link.
            guard device.isInRange else { return [] }
            guard let room = makeRoom(at: now) else {
                excess.note(device.path, at: now)
                return []
            }
            actions += room
            links.insert(makeLink(to: address))
        }
        excess.remove(device.path)
        paths[address, default: []].insert(device.path)
        if addresses.updateValue(address, forKey: device.path) == nil {
            requeue(device.path, in: tree)
        }
        guard device.isInRange, adapter.isPowered else { return actions }
        return actions + move(address, in: tree, at: now) { $0.seen(at: now) }
    }

    /// Removes the link of the unnamed device that has been away for the longest time, when the limit
    /// is reached; nil when every link is in use.
    private mutating func makeRoom(at now: BootInstant) -> [Action]? {
        guard links.count >= Self.linkLimit else { return [] }
        let replaceable = links.keys.filter { address in
            !selection.isNamed(address)
                && links.read(address) { $0.isReplaceable(at: now) } == true
        }
        let oldest = replaceable.min { lastSign(of: $0) < lastSign(of: $1) }
        guard let oldest else { return nil }
        replacedCount += 1
        let note: [Action] =
            replacedCount.isPowerOfTen ? [.output(.replaced(count: replacedCount))] : []
        return remove(oldest) + note
    }

    private func lastSign(of address: BluetoothAddress) -> BootInstant {
        links.read(address, \.lastSign) ?? .distantPast
    }

    /// Reports that there are more devices or objects than are read.
    mutating func evaluateCapacity(in tree: ManagedObjects) -> [Action] {
        let new =
            tree.excess
            ?? (excess.count == 0
                ? nil : .tooManyDevices(more: excess.count, limit: Self.linkLimit))
        return new == problems.capacity ? [] : change { $0.capacity = new }
    }

    private mutating func changed(
        _ device: BlueZDevice, _ names: Dictionary<String, BusValue>.Keys,
        in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let address = device.address
        var actions = removeOther(than: device, in: tree, at: now)
        if names.contains("Connected"), !device.isConnected {
            if linkPaths[address] != device.path { limits.forget(device.adapterPath) }
            _ = links.update(address, path: linkPaths[address]) { $0.noteDisconnected() }
        }
        if names.contains("Connected"), linkPaths[address] == device.path {
            actions += move(address, in: tree, at: now) {
                $0.connectionChanged(to: device.isConnected, at: now)
            }
        }
        if names.contains("ServicesResolved") {
            actions += move(address, in: tree, at: now) { _ in [] }
        }
        if names.contains("Paired"), linkPaths[address] ?? device.path == device.path {
            actions += move(address, in: tree, at: now) {
                $0.pairingChanged(to: device.isPaired, at: now)
            }
        }
        let isNews = device.isConnected || names.contains(where: Self.isNews)
        return isNews ? actions + consider(device, in: tree, at: now) : actions
    }

    /// Puts a waiting device whose object has changed in the right queues.
    private mutating func requeue(_ path: String, in tree: ManagedObjects) {
        guard let address = addresses[path], links.ready.contains(address) else { return }
        enqueue(address, in: tree)
    }

    /// Removes the device that had an object before, if it is another one: pairing reveals the
    /// identity address behind a random one.
    private mutating func removeOther(
        than device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard let old = addresses[device.path], old != device.address else { return [] }
        return removed(device.path, in: tree, at: now)
    }

    private static func isNews(_ name: String) -> Bool {
        name == "RSSI" || name == "UUIDs" || name == "Address"
    }

    private mutating func removed(
        _ path: String, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        excess.remove(path)
        guard let address = addresses.removeValue(forKey: path) else { return [] }
        paths[address]?.remove(path)
        if paths[address]?.isEmpty == true { paths[address] = nil }
        if links.ready.contains(address) { enqueue(address, in: tree) }
        guard linkPaths[address] == path || paths[address] == nil else { return [] }
        var actions = move(address, in: tree, at: now) { $0.deviceRemoved(at: now) }
        actions += removeIfGone(address)
        return actions + reconsider(address, in: tree, at: now)
    }

    /// Considers the other objects of a device: another adapter may still receive it.
    mutating func reconsider(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        (paths[address] ?? []).sorted().compactMap(tree.device).flatMap {
            consider($0, in: tree, at: now)
        }
    }

    /// Removes the link of an unnamed device that has gone, unless it is backing off.
    mutating func removeIfGone(_ address: BluetoothAddress) -> [Action] {
        guard !selection.isNamed(address), paths[address] == nil,
            links.read(address, \.isBackingOff) == false
        else { return [] }
        return remove(address)
    }

    /// Removes a link and what is known about its device, also from the status.
    mutating func remove(_ address: BluetoothAddress) -> [Action] {
        links.remove(address)
        waitingForConnection.remove(address)
        queues.set(address, to: [])
        for path in paths.removeValue(forKey: address) ?? [] { addresses[path] = nil }
        return [.output(.report(address, .forgotten))]
    }

    /// Fires the timers of the links that are due.
    mutating func wakeLinks(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        excess.prune(at: now)
        var actions: [Action] = []
        for address in links.removeDue(at: now) {
            // Late services may have been resolved meanwhile.
            actions += move(address, in: tree, at: now) { _ in [] }
            actions += move(address, in: tree, at: now) { $0.timerFired(at: now) }
            actions += resumeConnected(address, in: tree, at: now)
            actions += removeIfGone(address)
        }
        return actions
    }

    /// Resumes a device that is still connected after its pause, because another program made the
    /// link or it could not be ended: a connected device does not advertise and would never be seen
    /// again.
    private mutating func resumeConnected(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard links.unseen.contains(address) else { return [] }
        return (paths[address] ?? []).sorted().compactMap(tree.device).filter(\.isConnected)
            .flatMap { consider($0, in: tree, at: now) }
    }

    /// The path of the adapter that a device object belongs to: its parent.
    static func adapterPath(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    /// Changes a link and translates the resulting actions.
    mutating func move(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant,
        _ change: (inout Link) -> [Link.Action]
    ) -> [Action] {
        let path = linkPaths[address]
        var found: [String] = []
        let update = links.update(address, path: path) { link in
            let actions = change(&link)
            guard link.state == .resolving, let path, let device = tree.device(at: path),
                device.isResolved
            else { return actions }
            let characteristics = tree.characteristics(of: path)
            found = characteristics.map(\.path)
            return actions
                + link.resolved(
                    characteristics, of: device,
                    batteryPercentage: tree.batteryPercentage(at: path), at: now)
        }
        guard let (actions, isOtherState) = update else { return [] }
        own(found, by: address)
        isPlanOutdated = isPlanOutdated || isOtherState
        let translated = translate(actions, of: address, in: tree)
        if isOtherState { stateChanged(address, in: tree) }
        return translated
    }

    private mutating func stateChanged(_ address: BluetoothAddress, in tree: ManagedObjects) {
        if links.read(address, \.isLinked) == false { leave(address) }
        enqueue(address, in: tree)
    }

    /// Registers the characteristics of a device with a link.
    private mutating func own(_ paths: [String], by address: BluetoothAddress) {
        for path in paths where owners.updateValue(address, forKey: path) == nil {
            ownedPaths[address, default: []].append(path)
        }
    }

    /// Clears what was stored about the object of a link that has ended.
    private mutating func leave(_ address: BluetoothAddress) {
        guard let path = linkPaths.removeValue(forKey: address) else { return }
        for path in ownedPaths.removeValue(forKey: address) ?? [] { owners[path] = nil }
        _ = links.update(address, path: nil) { link in
            link.lastPath = path
            link.failedPath = link.lastFailure?.dependsOnAdapter == true ? path : nil
        }
    }
}

extension ManagedObjects.Change {
    /// Whether the plan depends on the changed object; values and services do not matter.
    fileprivate var isOfDeviceOrAdapter: Bool {
        switch self {
        case .added(_, let interface), .removed(_, let interface), .changed(_, let interface, _, _):
            interface == BlueZName.device || interface == BlueZName.adapter
        }
    }
}
