import DBus
import GatewayCore
import Platform

/// What happens to devices, and what their links do about it.
extension CentralMachine {
    /// bluetoothd says that something changed.
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

    /// A device is there: it may be wanted, and it may have been heard just now.
    mutating func consider(
        _ device: BlueZDevice, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let address = device.address
        guard selection.takes(address, offering: device.services, wanted: services),
            adapters[device.adapterPath].map(selection.takes) == true
        else { return [] }
        if links[address] == nil {
            // A stranger that bluetoothd only remembers needs no link.
            guard device.isAround, makeRoom() else { return [] }
            links[address] = Link(address: address, profiles: profiles, policy: policy)
        }
        paths[address, default: []].insert(device.path)
        guard device.isAround, adapters[device.adapterPath]?.isPowered == true else { return [] }
        return move(address, in: tree, at: now) { $0.heard(at: now) }
    }

    /// Forgets a stranger that has gone, when there are as many links as there may be; false when all
    /// of them are of use.
    private mutating func makeRoom() -> Bool {
        guard links.count >= Self.linkLimit else { return true }
        let gone = links.values.filter { link in
            link.state == .wanted(isHeard: false) && !selection.named.contains(link.address)
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
            // Pairing has told the address that was behind a random one.
            actions += removed(device.path, in: tree, at: now)
        }
        if names.contains("Connected"), !device.isConnected { links[address]?.linkIsGone() }
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
        let actions = move(address, in: tree, at: now) { $0.forgotten(at: now) }
        forgetStrangers()
        return actions + reconsider(address, in: tree, at: now)
    }

    private func owner(of path: String) -> BluetoothAddress? {
        paths.first { $0.value.contains(path) }?.key
    }

    /// Another adapter may still hear the device.
    mutating func reconsider(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        (paths[address] ?? []).sorted().compactMap(tree.device).flatMap {
            consider($0, in: tree, at: now)
        }
    }

    /// A stranger that has gone leaves nothing behind, once there is nothing to wait for.
    mutating func forgetStrangers() {
        let named = selection.named
        links = links.filter { address, link in
            named.contains(address) || paths[address] != nil || link.isBackingOff
        }
    }

    /// The time of some links has come.
    mutating func wakeLinks(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        for (address, link) in links where link.wakeTime.map({ $0 <= now }) == true {
            // Services that were late may be there by now.
            if link.state == .resolving { actions += move(address, in: tree, at: now) { _ in [] } }
            actions += move(address, in: tree, at: now) { $0.timerFired(at: now) }
            actions += takeUpAgain(address, in: tree, at: now)
        }
        forgetStrangers()
        return actions
    }

    /// A device that is still connected after a pause, because somebody else made the link or it could
    /// not be ended, does not advertise, and so would never be heard again.
    private mutating func takeUpAgain(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard links[address]?.state == .wanted(isHeard: false) else { return [] }
        return (paths[address] ?? []).sorted().compactMap(tree.device).filter(\.isConnected)
            .flatMap { consider($0, in: tree, at: now) }
    }

    /// Lets those links connect that wait for it, one at a time for each adapter, the one whose last
    /// attempt is longest ago first.
    mutating func giveTurns(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        let waiting = links.values.filter(\.wantsTurn).sorted {
            ($0.lastAttempt ?? .distantPast, $0.address)
                < ($1.lastAttempt ?? .distantPast, $1.address)
        }
        for link in waiting {
            let usable = usableObjects(of: link.address, in: tree)
            guard let device = bestObject(of: link.address, among: usable) else {
                guard !usable.isEmpty else { continue }
                actions += move(link.address, in: tree, at: now) { $0.waitForTurn() }
                continue
            }
            linkPaths[link.address] = device.path
            attempts += 1
            let attempt = attempts
            actions += move(link.address, in: tree, at: now) {
                $0.takeTurn(attempt, isConnected: device.isConnected, at: now)
            }
        }
        return actions
    }

    /// The object of a device on an adapter that has time: connected, or else heard best.
    ///
    /// After a failure another adapter has the precedence, if there is one.
    private func bestObject(
        of address: BluetoothAddress, among usable: [BlueZDevice]
    ) -> BlueZDevice? {
        // What an adapter only remembers is of use when none hears the device.
        let around = usable.filter(\.isAround)
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

    /// The adapter that a device's object belongs to: its parent.
    static func adapterPath(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    /// Lets something happen to a link, and what follows from it.
    mutating func move(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant,
        _ change: (inout Link) -> [Link.Action]
    ) -> [Action] {
        guard let index = links.index(forKey: address) else { return [] }
        // The link is changed in its place: a copy would copy all that its session remembers.
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

    /// The link is over: what was known of its object is not its any more.
    private mutating func leave(_ address: BluetoothAddress) {
        guard let path = linkPaths.removeValue(forKey: address), let state = links[address]?.state
        else { return }
        owners = owners.filter { $0.value != address }
        links[address]?.lastPath = path
        // A disturbance passes, and a device that is not what it should be is no fault of the adapter's.
        let isFailure = state == .backOff(isHeard: false, endsWhenHeard: true)
        links[address]?.failedPath = isFailure ? path : nil
    }
}

extension ManagedObjects.Change {
    /// Whether it is of an object that a plan depends on; values and services are not.
    fileprivate var isOfDeviceOrAdapter: Bool {
        switch self {
        case .added(_, let interface), .removed(_, let interface), .changed(_, let interface, _, _):
            interface == BlueZName.device || interface == BlueZName.adapter
        }
    }
}
