import DBus
import GatewayCore
import GatewayTesting
import XCTest

@testable import Bluetooth

/// Random events and answers of bluetoothd, with restarts.
final class CentralRandomTests: XCTestCase {
    /// How often a device was opened and how often it was live, so that it is known to happen.
    private var reached: [String: Int] = [:]

    override func setUp() { reached = [:] }

    override func tearDown() {
        XCTAssertGreaterThan(reached["opened"] ?? 0, 20)
        XCTAssertGreaterThan(reached["live"] ?? 0, 5)
    }

    func testNamed_whateverHappens_keepsItsRules() {
        for seed in 1...UInt64(60 * FuzzFactor.current) {
            let selection = BluetoothSelection(
                devices: .named([.ending(1), .ending(2)]), denied: [.ending(2)])
            run(seed, selection, mayConnect: [.ending(1)])
        }
    }

    func testAny_whateverHappens_keepsItsRules() {
        for seed in 1...UInt64(60 * FuzzFactor.current) {
            let selection = BluetoothSelection(devices: .any, denied: [.ending(2)])
            run(seed, selection, mayConnect: [.ending(1), .ending(3)])
        }
    }

    private func run(
        _ seed: UInt64, _ selection: BluetoothSelection, mayConnect: Set<BluetoothAddress>
    ) {
        let driver = MachineDriver(
            CentralMachine(selection: selection, profiles: [PulseProfile()], policy: LinkPolicy()))
        var random = RandomBus(seed: seed)
        var opened: Set<BluetoothAddress> = []
        driver.feed { RandomBus.fill(&$0) }
        driver.start()
        for _ in 0..<300 {
            driver.shake(&random)
            let machine = driver.machine
            XCTAssertTrue(mayConnect.isSuperset(of: machine.linkPaths.keys), "seed \(seed)")
            XCTAssertTrue(
                machine.linkPaths.keys.allSatisfy { machine.links[$0]?.isLinked == true },
                "seed \(seed)")
            XCTAssertTrue(
                machine.owners.values.allSatisfy { machine.linkPaths[$0] != nil }, "seed \(seed)")
            let connecting = machine.links.values.filter { $0.state == .connecting }
            let adapters = connecting.compactMap { machine.linkPaths[$0.address]?.prefix(15) }
            XCTAssertEqual(Set(adapters).count, adapters.count, "one at a time; seed \(seed)")
            XCTAssertEqual(machine.differingIndexes(in: driver.daemon.tree), [], "seed \(seed)")
            var planned = machine
            planned.isPlanOutdated = true
            let rest = planned.plan(in: driver.daemon.tree, at: driver.now)
            XCTAssertTrue(rest.isEmpty, "the plan is never outdated; seed \(seed)")
            for case .report(let address, let content) in driver.removeOutputs() {
                check(content, of: address, in: &opened, seed)
            }
        }
        driver.handle(.stop)
        XCTAssertTrue(driver.machine.links.values.allSatisfy { $0.state == .idle })
        for case .report(let address, let content) in driver.removeOutputs() {
            check(content, of: address, in: &opened, seed)
        }
        XCTAssertEqual(opened, [], "what was opened is closed in the end; seed \(seed)")
    }

    /// Opened and closed take turns, and nothing is measured outside.
    private func check(
        _ content: DeviceReport.Content, of address: BluetoothAddress,
        in opened: inout Set<BluetoothAddress>, _ seed: UInt64
    ) {
        switch content {
        case .opened:
            XCTAssertTrue(opened.insert(address).inserted, "seed \(seed)")
            reached["opened", default: 0] += 1
        case .closed: XCTAssertNotNil(opened.remove(address), "seed \(seed)")
        case .readings, .records, .stale, .dropped, .discarded, .seen:
            XCTAssertTrue(opened.contains(address), "seed \(seed)")
        case .link where content.isSubscription: reached["live", default: 0] += 1
        case .forgotten: XCTAssertFalse(opened.contains(address), "seed \(seed)")
        case .link, .traffic: break
        }
    }
}

extension MachineDriver {
    /// Lets something happen: mostly a signal, sometimes an answer, time, or the end of bluetoothd.
    func shake(_ random: inout RandomBus) {
        switch random.number(below: 40) {
        case 0..<22:
            let signal = random.signal()
            feed { $0.apply(signal) }
        case 22..<36 where !open.isEmpty: answerOne(&random)
        case 36..<39: pass(Double(random.number(below: 30)))
        case 39 where random.number(below: 4) == 0:
            loseDaemon()
            feed { RandomBus.fill(&$0) }
            start()
        default: handle(.timer)
        }
    }

    private func answerOne(_ random: inout RandomBus) {
        let errors: [BusError] = [
            .timedOut, .unknownObject, .bluez("InProgress"), .bluez("NotReady"),
            .failed("le-connection-abort-by-local"), .failed("Too many links"),
        ]
        let index = random.number(below: open.count)
        let error = random.number(below: 3) == 0 ? errors[random.number(below: 6)] : nil
        let bytes = [UInt8(random.number(below: 256))]
        answer(at: index, error.map { .failure($0) } ?? .success([.bytes(bytes)]))
    }
}
