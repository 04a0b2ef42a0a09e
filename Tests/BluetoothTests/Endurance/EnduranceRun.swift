import GatewayCore
import HealthModel
import Platform
import Readings

@testable import Bluetooth

/// A central that lives with an ``EnduranceBus`` for a long time, from event to event.
final class EnduranceRun {
    /// The mean time between two faults, the time between two values of a strap, the time after
    /// which it counts as silent, and the times between two advertisements.
    static let seconds = (
        fault: 1_400.0, beat: 3_000.0, silence: 3_600.0, advertisement: (often: 10.0, rarely: 60.0)
    )

    let bus: EnduranceBus
    /// What was wrong on the way.
    var complaints: [String] = []
    /// How often each fault has happened.
    private(set) var faults: [EnduranceBus.Fault: Int] = [:]
    /// After each fault, the times in seconds until the link of the strap was back.
    private(set) var returns: [EnduranceBus.Fault: [Double]] = [:]
    /// The links on record.
    private(set) var record: [BluetoothAddress: String] = [:]
    /// The numbers up to the last full hour.
    var lastHour = EnduranceBus.Counts()
    private(set) var nextHour = BootInstant.distantPast
    private var ends: [(time: BootInstant, end: () -> Void)] = []
    private var nextFault = BootInstant.distantPast
    private var nextLook = BootInstant.distantPast
    private var nextStretch = BootInstant.distantPast
    private var valueCount = 0
    private let numbers: [BluetoothAddress: UInt8]

    init(_ selection: BluetoothSelection, seed: UInt64) {
        var profile = PulseProfile()
        profile.silenceLimitSeconds = Self.seconds.silence
        let driver = MachineDriver<CentralMachine>.central(
            selection, adapters: 2, profiles: [profile],
            policy: LinkPolicy(random: SeededGenerator(seed: seed)))
        bus = EnduranceBus(driver, seed: seed)
        for number in EnduranceBus.residents { bus.add(number) }
        numbers = bus.straps.reduce(into: [:]) { $0[$1.value.address] = $1.key }
        nextHour = driver.now
        // The driver has answered the first calls itself.
        for adapter in 0..<2 { bus.discover(adapter, true) }
    }

    var now: BootInstant { bus.now }

    /// Lets time pass.
    func live(forSeconds seconds: Double, withFaults: Bool) {
        let end = now.adding(seconds: seconds)
        nextFault = withFaults ? now : end
        if !withFaults { endFaults(all: true) }
        while now < end {
            if nextFault <= now { startFault() }
            endFaults(all: false)
            beat()
            look()
            advance(until: min(end, nextEvent))
        }
    }

    private var nextEvent: BootInstant {
        var next = min(nextFault, bus.nextBeat, nextLook)
        let loss = bus.lastLoss.adding(seconds: Self.seconds.advertisement.often)
        if loss > now { next = min(next, loss) }
        if let end = ends.first?.time { next = min(next, end) }
        return max(next, now.adding(seconds: 0.001))
    }

    /// Lets the machine and bluetoothd talk until a time.
    private func advance(until end: BootInstant) {
        bus.settle()
        note()
        while now < end {
            let wake = bus.driver.wakeTime ?? end
            let next = min(end, max(min(wake, bus.nextTimeout ?? end), now.adding(seconds: 0.001)))
            if wake <= next { bus.counts.wakes += 1 }
            bus.driver.pass(next.seconds(since: now))
            bus.expire()
            bus.settle()
            note()
        }
    }

    private func startFault() {
        nextFault = now.adding(
            seconds: Double(1 + bus.number(below: 2 * Int(Self.seconds.fault))))
        let all = EnduranceBus.Fault.allCases
        let fault = all[bus.number(below: all.count)]
        faults[fault, default: 0] += 1
        let (seconds, end) = bus.begin(fault)
        ends.append((now.adding(seconds: seconds), end))
        ends.sort { $0.time < $1.time }
    }

    private func endFaults(all: Bool) {
        while let first = ends.first, all || first.time <= now {
            ends.removeFirst()
            first.end()
        }
    }

    /// All straps send a value, once a day for some seconds one each second.
    private func beat() {
        guard bus.nextBeat <= now else { return }
        if nextStretch <= now.adding(seconds: -10) { nextStretch = now.adding(seconds: 86_400) }
        let pause = nextStretch <= now ? 1 : Self.seconds.beat
        bus.nextBeat = now.adding(seconds: pause)
        for number in bus.straps.keys.sorted() { bus.beat(number) }
    }

    /// The straps without a link advertise.
    private func look() {
        let loss = bus.lastLoss.adding(seconds: Self.seconds.advertisement.often)
        guard nextLook <= now || loss == now else { return }
        let unlinked = bus.unlinked.filter(EnduranceBus.residents.contains)
        for number in unlinked { for adapter in 0..<2 { bus.advertise(number, on: adapter) } }
        let isRecent = unlinked.contains {
            bus.straps[$0].map { now.seconds(since: $0.wellSince) < 60 } ?? false
        }
        let seconds = Self.seconds.advertisement
        nextLook = now.adding(seconds: isRecent ? seconds.often : seconds.rarely)
        check(at: nextHour <= now)
        if nextHour <= now { nextHour = now.adding(seconds: 3_600) }
    }

    /// Notes what the machine has reported.
    private func note() {
        for output in bus.driver.removeOutputs() {
            switch output {
            case .ownLink(let address, let daemon): record[address] = daemon
            case .report(_, .readings(let readings)):
                valueCount += readings.filter { $0.isPulse }.count
            case .report(let address, .link(.live, _)): noteReturn(of: address)
            case .requiresPairing, .keepsFailing, .filterRefused, .replaced: bus.counts.lines += 1
            default: break
            }
        }
        guard valueCount != bus.counts.values else { return }
        complaints.append("\(valueCount) of \(bus.counts.values) values at \(now)")
        bus.counts.values = valueCount
    }

    private func noteReturn(of address: BluetoothAddress) {
        guard let number = numbers[address], let strap = bus.straps[number],
            let trouble = strap.trouble
        else { return }
        returns[trouble, default: []].append(now.seconds(since: strap.wellSince))
        bus.straps[number]?.trouble = nil
    }
}

extension TimedReading {
    fileprivate var isPulse: Bool {
        if case .instant(let type, _, _) = reading { type == .heartRate } else { false }
    }
}
