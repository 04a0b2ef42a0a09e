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
            guard let address = owners[path], let value = properties["Value"]?.bytes
            else { return [] }
            return move(address, in: tree, at: now) { $0.received(value, from: path, at: now) }
        case .added(let path, BlueZName.battery), .changed(let path, BlueZName.battery, _, _):
            guard let address = tree.device(at: path)?.address, linkPaths[address] == path,
                let percentage = tree.batteryPercentage(at: path)
            else { return [] }
            return move(address, in: tree, at: now) { $0.battery(percentage, at: now) }
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

    /// Handles a device object that was added or updated: creates its link if it is selected, and
    /// notes that it was seen.
    mutating func consider(
        _ device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let address = device.address
        guard selection.accepts(address, offering: device.services, wanted: services),
            adapters[device.adapterPath].map(selection.accepts) == true
        else { return [] }
        if links[address] == nil {
            // A device that is not named and only remembered by bluetoothd needs no link.
            guard device.isInRange, evictIdleLink() else { return [] }
            links[address] = makeLink(to: address)
        }
        paths[address, default: []].insert(device.path)
        guard device.isInRange, adapters[device.adapterPath]?.isPowered == true else { return [] }
        return move(address, in: tree, at: now) { $0.seen(at: now) }
    }

    /// Removes a link whose unnamed device has gone, when the limit is reached; false when every
    /// link is in use.
    private mutating func evictIdleLink() -> Bool {
        guard links.count >= Self.linkLimit else { return true }
        let gone = links.values.filter { link in
            link.state == .wanted(isSeen: false) && !selection.named.contains(link.address)
        }.min { ($0.lastAttempt ?? .distantPast) < ($1.lastAttempt ?? .distantPast) }
        guard let gone else { return false }
        links[gone.address] = nil
        paths[gone.address] = nil
        return true
    }

    private mutating func changed(
        _ device: BlueZDevice, _ names: Set<String>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let address = device.address
        var actions: [Action] = []
        if names.contains("Address"), let old = owner(of: device.path), old != address {
            // Pairing has revealed the identity address behind a random one.
            actions += removed(device.path, in: tree, at: now)
        }
        if names.contains("Connected"), !device.isConnected { links[address]?.noteDisconnected() }
        if names.contains("Connected"), linkPaths[address] == device.path {
            actions += move(address, in: tree, at: now) {
                $0.connectionChanged(to: device.isConnected, at: now)
            }
        }
        if names.contains("ServicesResolved"), links[address] != nil {
            actions += move(address, in: tree, at: now) { _ in [] }
        }
        let isNews =
            !names.isDisjoint(with: ["RSSI", "UUIDs", "Address"]) || device.isConnected
        return isNews ? actions + consider(device, in: tree, at: now) : actions
    }

    private mutating func removed(
        _ path: String, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard let address = owner(of: path) else { return [] }
        paths[address]?.remove(path)
        if paths[address]?.isEmpty == true { paths[address] = nil }
        guard linkPaths[address] == path || paths[address] == nil else { return [] }
        let actions = move(address, in: tree, at: now) { $0.deviceRemoved(at: now) }
        removeUnnamedLinks()
        return actions + reconsider(address, in: tree, at: now)
    }

    private func owner(of path: String) -> BluetoothAddress? {
        paths.first { $0.value.contains(path) }?.key
    }

    /// Considers the other objects of a device: another adapter may still receive it.
    mutating func reconsider(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        (paths[address] ?? []).sorted().compactMap(tree.device).flatMap {
            consider($0, in: tree, at: now)
        }
    }

    /// Removes the links of unnamed devices that have gone and are not backing off.
    mutating func removeUnnamedLinks() {
        let named = selection.named
        links = links.filter { address, link in
            named.contains(address) || paths[address] != nil || link.isBackingOff
        }
    }

    /// Fires the timers of the links that are due.
    mutating func wakeLinks(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        for (address, link) in links where link.wakeTime.map({ $0 <= now }) == true {
            // Late services may have been resolved meanwhile.
            if link.state == .resolving { actions += move(address, in: tree, at: now) { _ in [] } }
            actions += move(address, in: tree, at: now) { $0.timerFired(at: now) }
            actions += resumeConnected(address, in: tree, at: now)
        }
        removeUnnamedLinks()
        return actions
    }

    /// Resumes a device that is still connected after its pause, because another program made the
    /// link or it could not be ended: a connected device does not advertise and would never be seen
    /// again.
    private mutating func resumeConnected(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard links[address]?.state == .wanted(isSeen: false) else { return [] }
        return (paths[address] ?? []).sorted().compactMap(tree.device).filter(\.isConnected)
            .flatMap { consider($0, in: tree, at: now) }
    }

    /// Starts connection attempts, one at a time for each adapter, least recently attempted link
    /// first.
    mutating func startAttempts(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        let waiting = links.values.filter(\.isReadyToConnect).sorted {
            ($0.lastAttempt ?? .distantPast, $0.address)
                < ($1.lastAttempt ?? .distantPast, $1.address)
        }
        for link in waiting {
            let usable = usableObjects(of: link.address, in: tree)
            guard let device = bestObject(of: link.address, among: usable) else {
                guard !usable.isEmpty else { continue }
                actions += move(link.address, in: tree, at: now) { $0.reportWaiting() }
                continue
            }
            linkPaths[link.address] = device.path
            attempts += 1
            let attempt = attempts
            actions += move(link.address, in: tree, at: now) {
                $0.startAttempt(attempt, isConnected: device.isConnected, at: now)
            }
        }
        return actions
    }

    /// The object of a device on an idle adapter: a connected one, otherwise the strongest signal.
    ///
    /// After a failure another adapter takes precedence, if there is one.
    private func bestObject(
        of address: BluetoothAddress, among usable: [BlueZDevice]
    ) -> BlueZDevice? {
        // Remembered objects are used only when no adapter receives the device.
        let around = usable.filter(\.isInRange)
        let busy = busyAdapters
        let failed = links[address]?.failedPath
        func rank(_ device: BlueZDevice) -> (Int, Int, Int, String) {
            (
                device.isConnected ? 1 : 0, device.path == failed ? 0 : 1,
                device.signalStrength ?? .min, device.path
            )
        }
        return (around.isEmpty ? usable : around).filter { !busy.contains($0.adapterPath) }
            .max { rank($0) < rank($1) }
    }

    private func usableObjects(
        of address: BluetoothAddress, in tree: ManagedObjects
    ) -> [BlueZDevice] {
        (paths[address] ?? []).compactMap(tree.device).filter {
            adapters[$0.adapterPath]?.isPowered == true
        }
    }

    private var busyAdapters: Set<String> {
        Set(
            links.values.filter(\.isBusy).compactMap { link in
                linkPaths[link.address].map(Self.adapterPath)
            })
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
        guard let index = links.index(forKey: address) else { return [] }
        // Changed in place: a copy would copy the state of its session.
        let state = links.values[index].state
        var actions = change(&links.values[index])
        if links.values[index].state == .resolving, let path = linkPaths[address],
            let device = tree.device(at: path), device.isResolved
        {
            let characteristics = tree.characteristics(of: path)
            actions += links.values[index].resolved(
                characteristics, of: device,
                batteryPercentage: tree.batteryPercentage(at: path), at: now)
            for characteristic in characteristics { owners[characteristic.path] = address }
        }
        let isLinked = links.values[index].isLinked
        isPlanOutdated = isPlanOutdated || links.values[index].state != state
        let translated = translate(actions, of: address, in: tree)
        if !isLinked { leave(address) }
        return translated
    }

    /// Clears what was stored about the object of a link that has ended.
    private mutating func leave(_ address: BluetoothAddress) {
        guard let path = linkPaths.removeValue(forKey: address), let state = links[address]?.state
        else { return }
        owners = owners.filter { $0.value != address }
        links[address]?.lastPath = path
        // A disturbance passes, and a missing service is not the fault of the adapter.
        let isFailure = state == .backOff(isSeen: false, endsWhenSeen: true)
        links[address]?.failedPath = isFailure ? path : nil
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
