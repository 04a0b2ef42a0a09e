import DBus
import GatewayCore
import Platform

/// Adapters come, go, and are switched on and off.
extension CentralMachine {
    /// An adapter is there or not, on or off.
    mutating func adapterChanged(
        _ path: String, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let wasPowered = adapters[path]?.isPowered == true
        let properties = tree.properties(path, BlueZName.adapter)
        adapters[path] = properties.map { BlueZAdapter(path: path, properties: $0) }
        guard wasPowered, adapters[path]?.isPowered != true else { return judgeAdapters(at: now) }
        discoveries[path] = nil
        let name = path.split(separator: "/").last ?? ""
        let reason = "the adapter \(name) is " + (adapters[path] == nil ? "gone" : "off")
        var actions: [Action] = []
        for address in links.keys.sorted() where depends(address, on: path) {
            actions += move(address, in: tree, at: now) { $0.lose(reason, at: now) }
            actions += reconsider(address, in: tree, at: now)
        }
        return actions + judgeAdapters(at: now)
    }

    /// Whether a device has its link through an adapter, or may have been heard by it.
    ///
    /// bluetoothd tells the loss of the links before that of the adapter, so it is the reason for what
    /// was lost, too.
    private func depends(_ address: BluetoothAddress, on adapter: String) -> Bool {
        if let path = linkPaths[address] { return Self.adapterPath(of: path) == adapter }
        guard let link = links[address] else { return false }
        let wasLost = link.state == .wanted(isHeard: false)
        return link.wantsTurn || wasLost && link.lastPath.map(Self.adapterPath) == adapter
    }

    /// Says whether there is an adapter to work with, and what every link waits for.
    mutating func judgeAdapters(at now: BootInstant) -> [Action] {
        let usable = adapters.values.filter(selection.takes)
        let new: CentralTrouble? =
            if usable.contains(where: \.isPowered) {
                nil
            } else if let adapter = usable.min(by: { $0.path < $1.path }) {
                .adapterOff(adapter.name)
            } else {
                .noAdapter(named: selection.adapter)
            }
        guard new != trouble else { return [] }
        let actions = show(new)
        return actions
            + links.values.filter { $0.state == .wanted(isHeard: false) }.map {
                let reason = new?.problem ?? $0.lastReason
                return .output(.report($0.address, .link(.wanted, reason: reason)))
            }
    }

    /// Looks for devices with every adapter while one is missing, or while any is welcome.
    mutating func steerDiscoveries(at now: BootInstant) -> [Action] {
        let isWanted = selection.devices == .any || links.values.contains(where: \.isSought)
        var actions: [Action] = []
        for (path, adapter) in adapters where adapter.isPowered && selection.takes(adapter) {
            let step = discoveries[path, default: Discovery()].steer(isWanted: isWanted, at: now)
            if let step { actions.append(call(step, on: path)) }
        }
        return actions
    }

    /// A step of a discovery, in BlueZ's words.
    func call(_ step: Discovery.Step, on path: String) -> Action {
        .call(.discovery(adapter: path, step), step.call(on: path, filter: filter))
    }

    /// Low energy only: otherwise half of the time goes to classic Bluetooth.
    ///
    /// A device that is named need not say in its advertisements what services it has.
    private var filter: [String: BusValue] {
        var filter: [String: BusValue] = [
            "Transport": .string("le"), "DuplicateData": .boolean(false),
        ]
        if selection.devices == .any {
            filter["UUIDs"] = .array(services.map { .string($0.description) }, of: "s")
        }
        return filter
    }
}
