import DBus
import GatewayCore
import Platform

/// Adapters: added, removed, powered on and off.
extension CentralMachine {
    /// Handles a change of an adapter.
    mutating func adapterChanged(
        _ path: String, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let wasPowered = adapters[path]?.isPowered == true
        adapters[path] = tree.adapter(at: path).flatMap { selection.accepts($0) ? $0 : nil }
        let isPowered = adapters[path]?.isPowered == true
        if wasPowered != isPowered {
            for address in links.ready { enqueue(address, in: tree) }
        }
        guard wasPowered, !isPowered else { return evaluateAdapters(at: now) }
        discoveries[path] = nil
        limits.forget(path)
        let name = path.split(separator: "/").last ?? ""
        let reason = "adapter \(name) " + (adapters[path] == nil ? "was removed" : "is powered off")
        var actions: [Action] = []
        for address in links.keys.sorted() where depends(address, on: path) {
            actions += move(address, in: tree, at: now) { $0.interrupt(reason, at: now) }
            actions += reconsider(address, in: tree, at: now)
        }
        return actions + evaluateAdapters(at: now)
    }

    /// Whether a device has its link through an adapter, or may have been seen by it.
    ///
    /// bluetoothd reports the loss of the links before that of the adapter, so a link that was just
    /// lost through this adapter counts too.
    private func depends(_ address: BluetoothAddress, on adapter: String) -> Bool {
        if let path = linkPaths[address] { return Self.adapterPath(of: path) == adapter }
        guard let link = links[address] else { return false }
        let wasLost = link.state == .wanted(isSeen: false)
        return link.isReadyToConnect || wasLost && link.lastPath.map(Self.adapterPath) == adapter
    }

    /// Reports whether a usable adapter exists, and the reason why each link waits.
    mutating func evaluateAdapters(at now: BootInstant) -> [Action] {
        let new: CentralProblem? =
            if adapters.values.contains(where: \.isPowered) {
                nil
            } else if let adapter = adapters.values.min(by: { $0.path < $1.path }) {
                .adapterOff(adapter.name)
            } else {
                .noAdapter(named: selection.adapter)
            }
        guard new != problems.radio else { return [] }
        let actions = change { $0.radio = new }
        return actions
            + links.unseen.sorted().compactMap { links[$0] }.map {
                let reason = new?.problem ?? $0.lastReason
                return .output(.report($0.address, .link(.wanted, reason: reason)))
            }
    }

    /// Starts or stops discovery: every adapter scans while a device is missing or any device is
    /// selected.
    mutating func updateDiscoveries(at now: BootInstant) -> [Action] {
        let isWanted = selection.devices == .any || links.needsDiscovery
        let new = Discovery(random: policy.random)
        var actions: [Action] = []
        for (path, adapter) in adapters where adapter.isPowered {
            let step = discoveries[path, default: new].nextStep(
                isWanted: isWanted, isDiscovering: adapter.isDiscovering, at: now)
            if let step { actions.append(call(step, on: path)) }
        }
        return actions + evaluateDiscoveries()
    }

    /// Reports an adapter that does not discover devices after several attempts.
    mutating func evaluateDiscoveries() -> [Action] {
        let failed = discoveries.compactMap { path, discovery in
            discovery.failure.map { (path: path, failure: $0) }
        }
        let worst = failed.filter { $0.failure.count >= Self.failedDiscoveryLimit }
            .min { $0.path < $1.path }
        let name = worst.flatMap { adapters[$0.path]?.name } ?? ""
        let problem = worst.map { CentralProblem.discovery(adapter: name, $0.failure) }
        guard problem != problems.discovery else { return [] }
        return change { $0.discovery = problem }
    }

    /// Handles the answer to a discovery step.
    mutating func discoveryAnswered(
        _ step: Discovery.Step, on path: String, _ error: BusError?, at now: BootInstant
    ) -> [Action] {
        guard var discovery = discoveries[path] else { return [] }
        let refusals = discovery.refusedFilterCount
        let next = discovery.answered(step, error, at: now)
        discoveries[path] = discovery
        var actions = next.map { [call($0, on: path)] } ?? []
        let count = discovery.refusedFilterCount
        if let error, count > refusals, count.isPowerOfTen {
            let name = adapters[path]?.name ?? path
            actions.append(
                .output(.filterRefused(adapter: name, reason: "\(error)", count: count)))
        }
        return actions
    }

    /// The D-Bus call of a discovery step.
    func call(_ step: Discovery.Step, on path: String) -> Action {
        let filter = filter(discoveries[path]?.filter ?? .full)
        return .call(.discovery(adapter: path, step), step.call(on: path, filter: filter))
    }

    /// The discovery filter: Low Energy only, otherwise half of the time goes to classic Bluetooth.
    ///
    /// No service filter for devices selected by address: they need not advertise their services.
    private func filter(_ choice: Discovery.Filter) -> [String: BusValue] {
        var filter: [String: BusValue] = ["Transport": .string("le")]
        guard choice == .full else { return filter }
        filter["DuplicateData"] = .boolean(false)
        if selection.devices == .any { filter["UUIDs"] = serviceFilter }
        return filter
    }
}

extension Int {
    /// Whether it is 1, 10, 100, …: what repeats is logged at these counts.
    package var isPowerOfTen: Bool {
        var rest = self
        while rest >= 10, rest % 10 == 0 { rest /= 10 }
        return rest == 1
    }
}
