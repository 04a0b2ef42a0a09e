import GatewayCore
import Platform

@testable import Bluetooth

/// A central that lives with an ``EnduranceBus`` for a long time.
final class EnduranceRun {
    /// The mean time between two faults, the times between the beats of a strap and between
    /// the stretches in which it beats every second.
    private static let seconds = (fault: 600.0, beat: 600.0, stretch: 43_200.0)

    let bus: EnduranceBus
    /// What was wrong on the way.
    private(set) var complaints: [String] = []
    private(set) var faultCount = 0
    private(set) var mostConnectsInAnHour = 0
    private var record: [BluetoothAddress: String] = [:]
    private var ends: [(time: BootInstant, end: () -> Void)] = []
    private var nextFault = BootInstant.distantPast
    private var nextBeat = BootInstant.distantPast
    private var nextStretch = BootInstant.distantPast
    private var nextHour = BootInstant.distantPast
    private var connects = 0

    init(_ selection: BluetoothSelection, seed: UInt64) {
        var profile = PulseProfile()
        profile.silenceLimitSeconds = 2 * Self.seconds.beat
        let driver = MachineDriver<CentralMachine>.central(
            selection, adapters: 2, profiles: [profile])
        bus = EnduranceBus(driver, seed: seed)
        for number in EnduranceBus.residents {
            bus.straps[number] = EnduranceBus.Strap(wellSince: driver.now)
        }
        // The driver has answered the first calls itself.
        for adapter in 0..<2 { bus.discover(adapter, true) }
    }

    private var now: BootInstant { bus.now }
    private var machine: CentralMachine { bus.driver.machine }

    /// Lets time pass.
    func live(forSeconds seconds: Double, withFaults: Bool) {
        let end = now.adding(seconds: seconds)
        nextFault = now
        while now < end {
            if withFaults, nextFault <= now { startFault() }
            endFaults(all: !withFaults)
            let isDense = nextStretch.adding(seconds: 20) > now && nextStretch <= now
            if nextStretch.adding(seconds: 20) <= now {
                nextStretch = now.adding(seconds: Self.seconds.stretch)
            }
            beat(isDense: isDense)
            let missing = self.missing
            for number in missing { for adapter in 0..<2 { bus.advertise(number, on: adapter) } }
            check(missing)
            advance(by: isDense ? 1 : step(missing), until: end)
        }
    }

    private func step(_ missing: [UInt8]) -> Double {
        let latest = missing.compactMap { bus.straps[$0]?.wellSince }.max()
        guard let latest else { return 60 }
        return now.seconds(since: latest) < 30 ? 1 : 15
    }

    /// Lets the machine and bluetoothd talk until a time.
    private func advance(by seconds: Double, until end: BootInstant) {
        let end = min(end, now.adding(seconds: seconds))
        bus.settle()
        while now < end {
            var next = BootInstant.earlier(machine.wakeTime, bus.nextTimeout) ?? end
            next = min(end, max(next, now.adding(seconds: 0.001)))
            bus.driver.pass(next.seconds(since: now))
            bus.expire()
            bus.settle()
        }
        note()
    }

    private func startFault() {
        faultCount += 1
        nextFault = now.adding(
            seconds: Double(1 + bus.number(below: 2 * Int(Self.seconds.fault))))
        let faults = EnduranceBus.Fault.allCases
        let (seconds, end) = bus.begin(faults[bus.number(below: faults.count)])
        ends.append((now.adding(seconds: seconds), end))
    }

    private func endFaults(all: Bool) {
        let due = ends.filter { all || $0.time <= now }
        ends.removeAll { all || $0.time <= now }
        for fault in due { fault.end() }
    }

    private func beat(isDense: Bool) {
        guard isDense || nextBeat <= now else { return }
        nextBeat = now.adding(seconds: Self.seconds.beat)
        for number in bus.straps.keys.sorted() { bus.beat(number) }
    }

    private func note() {
        for case .ownLink(let address, let daemon) in bus.driver.removeOutputs() {
            record[address] = daemon
        }
    }

    /// The straps that are there and have no live link.
    var missing: [UInt8] {
        bus.straps.keys.sorted().filter {
            bus.straps[$0]?.isThere == true && bus.driver.state($0) != .live
        }
    }

    private func check(_ missing: [UInt8]) {
        if bus.isUsable(0) || bus.isUsable(1) {
            for number in missing where EnduranceBus.residents.contains(number) {
                checkReturn(of: number)
            }
        }
        guard nextHour <= now else { return }
        nextHour = now.adding(seconds: 3_600)
        let all = bus.callCounts["Connect"] ?? 0
        mostConnectsInAnHour = max(mostConnectsInAnHour, all - connects)
        connects = all
        let differing = machine.differingIndexes(in: bus.driver.daemon.tree)
        if !differing.isEmpty { complaints.append("indexes: \(differing)") }
    }

    private func checkReturn(of number: UInt8) {
        guard let strap = bus.straps[number], !strap.isSilent else { return }
        let seconds = now.seconds(since: strap.wellSince)
        let state = bus.driver.state(number)
        let isLongPause = if case .backOff(_, endsWhenSeen: false) = state { true } else { false }
        guard seconds > (isLongPause ? 3_700 : 300) else { return }
        complaints.append("\(number) missing for \(seconds) s: \(state.map { "\($0)" } ?? "-")")
        bus.straps[number]?.wellSince = now
    }

    /// The sizes of what the machine holds; none may grow.
    var sizes: [String: Int] {
        let tree = bus.driver.daemon.tree
        let links = machine.links
        return [
            "links": links.count, "own": links.own.count, "used": machine.linkPaths.count,
            "owners": machine.owners.count, "owned": machine.ownedPaths.count,
            "owned paths": machine.ownedPaths.values.map(\.count).reduce(0, +),
            "excess": machine.excess.count, "earlier": machine.earlierLinks.count,
            "objects that are gone": machine.addresses.keys.filter { tree.device(at: $0) == nil }
                .count,
            "objects of strangers": machine.paths.keys.filter { !links.contains($0) }.count,
            "waiting": links.ready.count + links.unseen.count,
            "connected": machine.connected.count, "newly waiting": machine.newlyWaiting.count,
            "adapters": machine.adapters.count,
            "records": record.filter { $0.value == tree.daemon }.count,
            "old records": record.filter { $0.value != tree.daemon }.count,
            "open calls": bus.driver.open.count,
            "many wake times": links.wakeTimeCount > 2 * links.count + 64 ? 1 : 0,
        ]
    }
}
