import DBus
import GatewayCore

/// What happens to devices, and what their links do about it.
extension CentralMachine {
    /// bluetoothd says that something changed.
    mutating func take(
        _ change: ObjectTree.Change, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        switch change {
        case .changed(let path, BlueZName.gattCharacteristic, let properties, _):
            guard let address = owners[path], let value = properties["Value"]?.bytes
            else { return [] }
            return move(address, in: tree, at: now) { $0.received(value, from: path, at: now) }
        case .added(let path, BlueZName.battery), .changed(let path, BlueZName.battery, _, _):
            guard let address = tree.device(at: path)?.address, linkPaths[address] == path,
                let percentage = tree.batteryPercentage(at: path)
            else { return [] }
            return move(address, in: tree, at: now) { $0.battery(percentage, at: now) }
        case .added(let path, BlueZName.gattCharacteristic):
            // It belongs to a device whose services are being waited for, if to any.
            let waiting = linkPaths.first { path.hasPrefix("\($0.value)/") }
            return waiting.map { move($0.key, in: tree, at: now) { _ in [] } } ?? []
        case .added(let path, BlueZName.device):
            return tree.device(at: path).map { consider($0, in: tree, at: now) } ?? []
        case .changed(let path, BlueZName.device, let properties, _):
            guard let device = tree.device(at: path) else { return [] }
            return changed(device, Set(properties.keys), in: tree, at: now)
        case .removed(let path, BlueZName.device): return removed(path, in: tree, at: now)
        case .added(let path, BlueZName.adapter), .changed(let path, BlueZName.adapter, _, _),
            .removed(let path, BlueZName.adapter):
            return adapterChanged(path, in: tree, at: now)
        default: return []
        }
    }

    /// A device is there: it may be wanted, and it may have been heard just now.
    mutating func consider(
        _ device: BlueZDevice, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        let address = device.address
        guard selection.takes(address, offering: device.services, wanted: services),
            adapters[device.adapterPath].map(selection.takes) == true
        else { return [] }
        if links[address] == nil {
            guard links.count < Self.linkLimit else { return [] }
            links[address] = Link(address: address, profiles: profiles, policy: policy)
        }
        paths[address, default: []].insert(device.path)
        // Without a strength the object is only a memory.
        guard device.signalStrength != nil || device.isConnected else { return [] }
        return move(address, in: tree, at: now) { $0.heard(at: now) }
    }

    private mutating func changed(
        _ device: BlueZDevice, _ names: Set<String>, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        let address = device.address
        var actions: [Action] = []
        if names.contains("Connected"), linkPaths[address] == device.path {
            actions += move(address, in: tree, at: now) {
                $0.connectionChanged(to: device.isConnected, at: now)
            }
        }
        if names.contains("ServicesResolved"), links[address] != nil {
            actions += move(address, in: tree, at: now) { _ in [] }
        }
        let isNews = !names.isDisjoint(with: ["RSSI", "UUIDs"]) || device.isConnected
        return isNews ? actions + consider(device, in: tree, at: now) : actions
    }

    private mutating func removed(
        _ path: String, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        guard let address = paths.first(where: { $0.value.contains(path) })?.key else { return [] }
        paths[address]?.remove(path)
        guard linkPaths[address] == path || paths[address]?.isEmpty == true else { return [] }
        let actions = move(address, in: tree, at: now) { $0.lose("not heard any more", at: now) }
        guard paths[address]?.isEmpty == true else { return actions }
        paths[address] = nil
        // A stranger that has gone leaves nothing behind.
        if !selection.named.contains(address) { links[address] = nil }
        return actions
    }

    /// Lets those links connect that wait for it, one at a time for each adapter, the one that has
    /// waited longest first.
    mutating func giveTurns(in tree: ObjectTree, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        let waiting = links.values.filter(\.wantsTurn).sorted {
            ($0.attempt, $0.address) < ($1.attempt, $1.address)
        }
        for link in waiting {
            guard let device = bestObject(of: link.address, in: tree) else { continue }
            linkPaths[link.address] = device.path
            actions += move(link.address, in: tree, at: now) {
                $0.takeTurn(isConnected: device.isConnected, at: now)
            }
        }
        return actions
    }

    /// The object of a device on an adapter that has time: connected, or else heard best.
    private func bestObject(of address: BluetoothAddress, in tree: ObjectTree) -> BlueZDevice? {
        let busy = Set(
            links.values.filter(\.isBusy).compactMap { link in
                linkPaths[link.address].flatMap { tree.device(at: $0)?.adapterPath }
            })
        let candidates = (paths[address] ?? []).compactMap(tree.device).filter { device in
            !busy.contains(device.adapterPath) && adapters[device.adapterPath]?.isPowered == true
        }
        func rank(_ device: BlueZDevice) -> (Int, Int, String) {
            (device.isConnected ? 1 : 0, device.signalStrength ?? .min, device.path)
        }
        return candidates.max { rank($0) < rank($1) }
    }

    /// Lets something happen to a link, and what follows from it.
    mutating func move(
        _ address: BluetoothAddress, in tree: ObjectTree, at now: BootInstant,
        _ change: (inout Link) -> [Link.Action]
    ) -> [Action] {
        guard var link = links[address] else { return [] }
        var actions = change(&link)
        if link.state == .resolving, let path = linkPaths[address],
            let device = tree.device(at: path), device.isResolved
        {
            let characteristics = tree.characteristics(of: path)
            actions += link.resolved(
                characteristics, of: device,
                batteryPercentage: tree.batteryPercentage(at: path), at: now)
            for characteristic in characteristics { owners[characteristic.path] = address }
        }
        links[address] = link
        if !link.isLinked, linkPaths.removeValue(forKey: address) != nil {
            owners = owners.filter { $0.value != address }
        }
        return translate(actions, of: address)
    }
}
