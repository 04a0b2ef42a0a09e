import GatewayCore
import Platform

@testable import Bluetooth

/// What must hold at any time.
extension EnduranceRun {
    private var machine: CentralMachine { bus.driver.machine }

    /// The straps that are there and have no live link.
    var missing: [UInt8] {
        bus.straps.keys.sorted().filter { number in
            guard let strap = bus.straps[number], strap.isThere else { return false }
            return machine.links.read(strap.address) { $0.state == .live } != true
        }
    }

    /// Complains about straps that stay away; `isFull` for everything else.
    func check(at isFull: Bool) {
        if (0..<2).contains(where: { bus.isUsable($0) && !bus.adapters[$0].isDeaf }) {
            for number in EnduranceBus.residents {
                guard isFull || bus.straps[number]?.isNotifying != true else { continue }
                checkReturn(of: number)
            }
        }
        checkDiscovery()
        guard isFull else { return }
        checkCalls()
        let differing = machine.differingIndexes(in: bus.driver.daemon.tree)
        if !differing.isEmpty { complaints.append("indexes: \(differing)") }
        checkOwnership()
    }

    /// Complains about an adapter that could discover any device and does not.
    private func checkDiscovery() {
        guard machine.selection.devices == .any else { return }
        for adapter in 0..<2 where bus.isUsable(adapter) && !bus.adapters[adapter].isDeaf {
            guard let since = bus.adapters[adapter].idleSince,
                now.seconds(since: since) > EnduranceBounds.discoverySeconds
            else { continue }
            complaints.append("adapter \(adapter) has not discovered since \(since) at \(now)")
            bus.adapters[adapter].idleSince = now
        }
    }

    private func checkReturn(of number: UInt8) {
        guard let strap = bus.straps[number], strap.isThere, !strap.isSilent else { return }
        let seconds = now.seconds(since: strap.wellSince)
        guard seconds > 60 else { return }
        guard !isCrowdedOut(strap) else {
            bus.straps[number]?.wellSince = now
            return
        }
        let state = machine.links.read(strap.address) { $0.state }
        let isLongPause = if case .backOff(_, endsWhenSeen: false) = state { true } else { false }
        let longest = EnduranceBounds.returnSeconds
        guard state != .live, seconds > (isLongPause ? longest.pairing : longest.other)
        else { return }
        complaints.append("\(number) missing for \(seconds) s: \(state.map { "\($0)" } ?? "-")")
        bus.straps[number]?.wellSince = now
    }

    /// Whether other devices have all places; a strap that leaves for a while loses its own.
    private func isCrowdedOut(_ strap: EnduranceStrap) -> Bool {
        machine.links.count >= CentralMachine.linkLimit && !machine.links.contains(strap.address)
            && machine.excess.keys.contains { isObject($0, of: strap) }
    }

    private func isObject(_ path: String, of strap: EnduranceStrap) -> Bool {
        bus.driver.daemon.tree.device(at: path)?.address == strap.address
    }

    /// Every attempt to connect and every disconnect has a cause that is not the central's.
    private func checkCalls() {
        let (old, new) = (lastHour, bus.counts)
        lastHour = new
        func difference(_ member: String) -> Int {
            (new.calls[member] ?? 0) - (old.calls[member] ?? 0)
        }
        let causes = EnduranceBounds.attempts(
            losses: new.losses - old.losses, unanswered: new.unanswered - old.unanswered)
        let strapCount = bus.straps.count
        if difference("Connect") > causes + strapCount {
            complaints.append("\(difference("Connect")) connects for \(causes) causes at \(now)")
        }
        if difference("Disconnect") > causes + strapCount {
            complaints.append("\(difference("Disconnect")) disconnects for \(causes) causes")
        }
    }

    /// Nothing is kept of a link that has ended, or of an object that bluetoothd has not.
    private func checkOwnership() {
        let machine = self.machine
        let tree = bus.driver.daemon.tree
        let linked = Set(machine.links.values.filter(\.isLinked).map(\.address))
        let checks: [(String, Bool)] = [
            ("link paths", Set(machine.linkPaths.keys) == linked),
            ("owned paths", linked.isSuperset(of: machine.ownedPaths.keys)),
            ("objects", machine.addresses.keys.allSatisfy { tree.device(at: $0) != nil }),
            ("excess", machine.excess.keys.allSatisfy { tree.device(at: $0) != nil }),
            ("strangers", machine.paths.keys.allSatisfy(machine.links.contains)),
            ("idle links", idleLinks(of: machine).isEmpty),
        ]
        let wrong = checks.filter { !$0.1 }.map(\.0)
        if !wrong.isEmpty { complaints.append("\(wrong) at \(now)") }
    }

    /// The unnamed devices that are gone and have a link that waits for nothing.
    private func idleLinks(of machine: CentralMachine) -> [BluetoothAddress] {
        machine.links.values.filter {
            !machine.selection.isNamed($0.address) && machine.paths[$0.address] == nil
                && !$0.isBackingOff && bus.isRunning
        }.map(\.address)
    }

    /// The usual time until the link of a strap is back after a fault.
    func medianReturn(after fault: EnduranceBus.Fault) -> Double {
        let seconds = (returns[fault] ?? []).sorted()
        return seconds.isEmpty ? .infinity : seconds[seconds.count / 2]
    }

    /// The sizes of all that the machine, its driver and the record hold.
    var sizes: [String: Int] {
        var sizes = CollectionSizes(of: machine).sizes
        // Obsolete wake times are removed when they are the majority.
        sizes[".links.wakeTimes.heap"] = max(
            0, machine.links.wakeTimeCount - 2 * machine.links.count - 64)
        // The last attempt on each adapter.
        sizes[".connecting"] = max(0, machine.connecting.count - machine.adapters.count)
        sizes["open calls"] = bus.driver.open.count
        sizes["records"] = record.count
        return sizes
    }
}
