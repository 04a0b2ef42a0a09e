import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// A bluetoothd with two adapters and many straps that answers a central as a real one does, with
/// faults; its time is that of the driver.
final class EnduranceBus {
    /// What the central has done, and what has made it do that.
    struct Counts {
        /// The calls of each method.
        var calls: [String: Int] = [:]
        /// The links that were lost and the attempts that were in vain, by no act of the central.
        var losses = 0
        /// The requests to silent straps.
        var unanswered = 0
        /// The times at which the central wanted its timer.
        var wakes = 0
        /// The values that straps have sent over live links.
        var values = 0
        /// The outputs that the source logs.
        var lines = 0
    }

    let driver: MachineDriver<CentralMachine>
    var random: SeededGenerator
    var straps: [UInt8: EnduranceStrap] = [:]
    var adapters = [EnduranceAdapter(0), EnduranceAdapter(1)]
    var isRunning = true
    var counts = Counts()
    /// When all straps send their next value.
    var nextBeat = BootInstant.distantPast
    /// When the last link has ended.
    var lastLoss = BootInstant.distantPast
    /// The number of each strap by the paths of its objects.
    private(set) var numbers: [String: (number: UInt8, adapter: Int)] = [:]
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

    /// A strap comes near.
    func add(_ number: UInt8) {
        let strap = EnduranceStrap(number, wellSince: now)
        straps[number] = strap
        for adapter in 0..<2 {
            numbers[strap.paths[adapter]] = (number, adapter)
            for path in BlueZCharacteristic.strap {
                let service = "\(strap.paths[adapter])/service\(path.service.shortest)"
                numbers["\(service)/\(path.path)"] = (number, adapter)
            }
        }
    }

    /// Answers all calls that are answered at once.
    func settle() {
        var rest = 10_000
        while rest > 0, let call = nextCall {
            rest -= 1
            counts.calls[call.member, default: 0] += 1
            serve(call)
        }
        driver.clearCalls()
    }

    /// The next call to answer; the order of those to the adapters depends on nothing but their paths.
    private var nextCall: BlueZCall? {
        let calls = driver.open.lazy.map(\.call).filter { !self.isHung($0) }
        guard let first = calls.first, first.interface == BlueZName.adapter else {
            return calls.first
        }
        return calls.filter { $0.interface == BlueZName.adapter }.min { $0.path < $1.path }
    }

    /// Lets the calls that have waited for too long time out.
    func expire() {
        for entry in hung where entry.due <= now { answer(entry.call, .failure(.timedOut)) }
    }

    var nextTimeout: BootInstant? { hung.map(\.due).min() }

    func forgetCalls() { hung = [] }

    private func isHung(_ call: BlueZCall) -> Bool { hung.contains { $0.call == call } }

    func hang(_ call: BlueZCall) {
        hung.append((call, now.adding(seconds: call.timeoutSeconds)))
    }

    /// Answers the unanswered calls to an object.
    func release(_ path: String, _ error: BusError) {
        for entry in hung where entry.call.path == path { answer(entry.call, .failure(error)) }
    }

    func answer(_ call: BlueZCall, _ result: Result<[BusValue], BusError>) {
        hung.removeAll { $0.call == call }
        guard let index = driver.open.firstIndex(where: { $0.call == call }) else { return }
        driver.answer(at: index, result)
    }
}
