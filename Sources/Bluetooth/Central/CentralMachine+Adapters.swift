import DBus
import GatewayCore

/// Adapters come, go, and are switched on and off.
extension CentralMachine {
    /// An adapter is there or not, on or off.
    mutating func adapterChanged(
        _ path: String, in tree: ObjectTree, at now: BootInstant
    ) -> [Action] {
        let properties = tree.properties(path, BlueZName.adapter)
        adapters[path] = properties.map { BlueZAdapter(path: path, properties: $0) }
        var actions: [Action] = []
        if adapters[path]?.isPowered != true {
            discoveries[path] = nil
            let reason = adapters[path] == nil ? "the adapter is gone" : "the adapter is off"
            for (address, linkPath) in linkPaths where linkPath.hasPrefix("\(path)/") {
                actions += move(address, in: tree, at: now) { $0.lose(reason, at: now) }
            }
        }
        return actions + judgeAdapters(at: now)
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
        let before = trouble
        let actions = show(new)
        guard new != before || new == nil else { return actions }
        let reason = new?.problem ?? "not heard yet"
        return actions
            + links.values.filter { $0.state == .wanted(isHeard: false) }.map {
                .output(.report($0.address, .link(.wanted, reason: reason)))
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
