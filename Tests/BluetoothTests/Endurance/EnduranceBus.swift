import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// A bluetoothd with two adapters and many straps that answers a central as a real one does, with
/// faults; its time is that of the driver.
final class EnduranceBus {
    /// A strap, and what goes wrong with it.
    struct Strap {
        var isThere = true
        /// The adapter of its link.
        var adapter: Int?
        var connectFault: ConnectFault?
        /// The number of connects that go wrong.
        var wrongConnects = 0
        /// The number of subscriptions that are refused.
        var refusals = 0
        var asksForPairing = false
        /// It neither measures nor answers.
        var isSilent = false
        /// Since when nothing prevents its link.
        var wellSince: BootInstant
    }

    enum ConnectFault: CaseIterable { case hangs, disturbed, noSlot, drops }

    struct Adapter {
        var isThere = true
        var isPowered = true
        var isDiscovering = false
    }

    let driver: MachineDriver<CentralMachine>
    var random: SeededGenerator
    var straps: [UInt8: Strap] = [:]
    var adapters = [Adapter(), Adapter()]
    var isRunning = true
    /// The number of calls of each method.
    private(set) var callCounts: [String: Int] = [:]
    /// The calls that are not answered in time, by the time of their timeout.
    private var hung: [(call: BlueZCall, due: BootInstant)] = []

    init(_ driver: MachineDriver<CentralMachine>, seed: UInt64) {
        self.driver = driver
        random = SeededGenerator(seed: seed)
        driver.adaptersAnswer = false
    }

    var now: BootInstant { driver.now }

    func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    func isUsable(_ adapter: Int) -> Bool {
        isRunning && adapters[adapter].isThere && adapters[adapter].isPowered
    }

    // MARK: Calls

    /// Answers all calls that are answered at once.
    func settle() {
        var rest = 10_000
        while rest > 0, let index = driver.open.firstIndex(where: { !isHung($0.call) }) {
            rest -= 1
            let call = driver.open[index].call
            callCounts[call.member, default: 0] += 1
            serve(call)
        }
        driver.clearCalls()
    }

    /// Lets the calls that have waited for too long time out.
    func expire() {
        for entry in hung where entry.due <= now { answer(entry.call, .failure(.timedOut)) }
    }

    var nextTimeout: BootInstant? { hung.map(\.due).min() }

    func forgetCalls() { hung = [] }

    private func isHung(_ call: BlueZCall) -> Bool { hung.contains { $0.call == call } }

    private func hang(_ call: BlueZCall) {
        hung.append((call, now.adding(seconds: call.timeoutSeconds)))
    }

    private func answer(_ call: BlueZCall, _ result: Result<[BusValue], BusError>) {
        hung.removeAll { $0.call == call }
        guard let index = driver.open.firstIndex(where: { $0.call == call }) else { return }
        driver.answer(at: index, result)
    }

    private func serve(_ call: BlueZCall) {
        guard let adapter = Int(String(call.path.dropFirst(14).prefix(1))), isUsable(adapter)
        else { return answer(call, .failure(.bluez("NotReady"))) }
        guard call.interface != BlueZName.adapter else { return serve(call, on: adapter) }
        let path = call.path.split(separator: "/").prefix(4).last ?? ""
        guard let number = UInt8(path.suffix(2), radix: 16), straps[number] != nil,
            driver.daemon.tree.device(at: Daemon.device(number, on: adapter)) != nil
        else { return answer(call, .failure(.unknownObject)) }
        switch call.member {
        case "Connect": connect(number, on: adapter, call)
        case "Disconnect":
            for entry in hung where entry.call.path == call.path {
                answer(entry.call, .failure(.failed("le-connection-abort-by-local")))
            }
            answer(call, .success([]))
            drop(number)
        default: request(number, on: adapter, call)
        }
    }

    private func serve(_ call: BlueZCall, on adapter: Int) {
        let isDiscovering = adapters[adapter].isDiscovering
        switch call.member {
        case "StartDiscovery" where isDiscovering: answer(call, .failure(.bluez("InProgress")))
        case "StartDiscovery":
            answer(call, .success([]))
            discover(adapter, true)
            for number in straps.keys.sorted() { advertise(number, on: adapter) }
        case "StopDiscovery":
            answer(call, isDiscovering ? .success([]) : .failure(.failed("No discovery started")))
            discover(adapter, false)
        case "RemoveDevice":
            answer(call, .success([]))
            if let path = call.body.first?.string { removeObjects(below: path) }
        default: answer(call, .success([]))
        }
    }

    private func connect(_ number: UInt8, on adapter: Int, _ call: BlueZCall) {
        guard var strap = straps[number], strap.isThere else { return hang(call) }
        let fault = strap.wrongConnects > 0 ? strap.connectFault : nil
        if fault != nil {
            strap.wrongConnects -= 1
            strap.wellSince = now
            straps[number] = strap
        }
        switch fault {
        case .hangs: return hang(call)
        case .disturbed: return answer(call, .failure(.failed("le-connection-abort-by-local")))
        case .noSlot: return answer(call, .failure(.failed("Too many links")))
        case .drops, nil: break
        }
        straps[number]?.adapter = adapter
        driver.setConnected(number, on: adapter, to: true)
        answer(call, .success([]))
        if fault == .drops { return drop(number) }
        driver.resolve(number, on: adapter)
    }

    private func request(_ number: UInt8, on adapter: Int, _ call: BlueZCall) {
        guard let strap = straps[number], strap.adapter == adapter
        else { return answer(call, .failure(.failed("Not connected"))) }
        guard !strap.isSilent || call.member == "StopNotify" else { return hang(call) }
        guard call.member == "StartNotify" else { return answer(call, .success([.bytes([1])])) }
        if strap.asksForPairing {
            askForPairing(number, on: adapter)
            return answer(call, .failure(.failed("Operation failed with ATT error: 0x05")))
        }
        if strap.refusals > 0 {
            straps[number]?.refusals -= 1
            straps[number]?.wellSince = now
            return answer(call, .failure(.failed("Operation failed with ATT error: 0x0e")))
        }
        answer(call, .success([]))
        beat(number)
    }

    private func askForPairing(_ number: UInt8, on adapter: Int) {
        straps[number]?.asksForPairing = false
        straps[number]?.wellSince = now
        let path = BusValue.objectPath(Daemon.device(number, on: adapter))
        guard let question = AgentQuestion("RequestAuthorization", [path]) else { return }
        driver.handle(.agent(.asked(question, number: 1)))
    }

    // MARK: Signals

    func discover(_ adapter: Int, _ isDiscovering: Bool) {
        adapters[adapter].isDiscovering = isDiscovering
        guard driver.daemon.tree.adapter(at: Daemon.adapter(adapter)) != nil else { return }
        driver.feed {
            $0.set(
                Daemon.adapter(adapter), BlueZName.adapter,
                ["Discovering": .boolean(isDiscovering)])
        }
    }

    func advertise(_ number: UInt8, on adapter: Int) {
        guard let strap = straps[number], strap.isThere, strap.adapter == nil, isUsable(adapter),
            adapters[adapter].isDiscovering
        else { return }
        driver.advertise(number, on: adapter, strength: Int16(-40 - self.number(below: 50)))
    }

    func beat(_ number: UInt8) {
        guard let strap = straps[number], !strap.isSilent, let adapter = strap.adapter
        else { return }
        driver.notify(number, on: adapter, [UInt8(60 + self.number(below: 100))])
    }

    /// The link of a strap is lost.
    func drop(_ number: UInt8) {
        guard let adapter = straps[number]?.adapter else { return }
        straps[number]?.adapter = nil
        let path = Daemon.device(number, on: adapter)
        guard driver.daemon.tree.device(at: path) != nil else { return }
        driver.feed {
            $0.set(
                path, BlueZName.device,
                ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
        }
    }

    func removeObjects(below path: String) {
        for number in straps.keys where straps[number]?.adapter != nil {
            let device = Daemon.device(number, on: straps[number]?.adapter ?? 0)
            if device.hasPrefix(path) { drop(number) }
        }
        let paths = driver.daemon.tree.paths.filter { $0.hasPrefix(path) }
        for path in paths.sorted(by: >) {
            driver.feed {
                $0.remove(
                    path, BlueZName.gattCharacteristic, BlueZName.gattService, BlueZName.device,
                    BlueZName.adapter)
            }
        }
    }
}
