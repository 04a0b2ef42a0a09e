import DBus
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

/// Thirty days of injected time with twenty straps, two adapters and faults of every kind: nothing
/// grows, no value is lost, and every strap comes back.
///
/// A seed repeats everything when the order of sets does: with `SWIFT_DETERMINISTIC_HASHING=1`.
final class CentralEnduranceTests: XCTestCase {
    func testNamed_thirtyDays_everythingIsFlat() {
        let residents = Set(EnduranceBus.residents.map { BluetoothAddress.ending($0) })
        run(BluetoothSelection(devices: .named(residents)), days: 30)
    }

    func testAny_fiveDays_everythingIsFlat() {
        run(BluetoothSelection(devices: .any), days: 5)
    }

    /// A strap that leaves while more devices are there than can be read loses its place, and gets
    /// one as soon as they go.
    func testAny_placeLostToACrowd_isReadAgainWithoutTheCrowd() {
        let life = EnduranceRun(BluetoothSelection(devices: .any), seed: 1)
        life.live(forSeconds: 300, withFaults: false)
        let go = life.bus.come(81)
        life.live(forSeconds: 300, withFaults: false)
        life.bus.straps[3]?.isThere = false
        life.bus.drop(3)
        life.bus.forget(3)
        life.live(forSeconds: 300, withFaults: false)
        life.bus.straps[3]?.isThere = true
        life.live(forSeconds: 900, withFaults: false)
        XCTAssertTrue(life.missing.contains(3))
        XCTAssertEqual(life.missing.count, 20 + 81 - CentralMachine.linkLimit)
        go()
        life.bus.straps[3]?.wellSince = life.now
        life.live(forSeconds: EnduranceBounds.returnSeconds.other, withFaults: false)
        XCTAssertEqual(life.missing, [])
        XCTAssertEqual(life.complaints, [])
    }

    private func run(_ selection: BluetoothSelection, days: Int) {
        for seed in 1...UInt64(FuzzFactor.current) {
            print("seed \(seed)")
            let life = EnduranceRun(selection, seed: seed)
            life.live(forSeconds: 300, withFaults: false)
            let before = life.sizes
            XCTAssertEqual(life.missing, [], "seed \(seed)")
            life.live(forSeconds: Double(days) * 86_400, withFaults: true)
            life.live(forSeconds: 2 * 3_600, withFaults: false)
            let grown = life.sizes.filter { $0.value > before[$0.key] ?? 0 }
            XCTAssertEqual(grown, [:], "seed \(seed)")
            XCTAssertEqual(life.missing, [], "seed \(seed)")
            XCTAssertEqual(life.complaints.prefix(5), [], "seed \(seed)")
            checkFaults(of: life, days: days)
            checkQuietHour(of: life)
        }
    }

    private func checkFaults(of life: EnduranceRun, days: Int) {
        for fault in EnduranceBus.Fault.allCases {
            XCTAssertGreaterThan(life.faults[fault] ?? 0, days, "\(fault)")
        }
        XCTAssertLessThan(life.bus.counts.lines, life.faults.values.reduce(0, +))
        let longest = EnduranceBounds.medianReturnSeconds
        XCTAssertLessThan(life.medianReturn(after: .drop), longest.quick)
        XCTAssertLessThan(life.medianReturn(after: .refuse), longest.quick)
        XCTAssertLessThan(life.medianReturn(after: .pairing), longest.pairing)
    }

    /// Nothing is connected, and only the discovery is renewed.
    private func checkQuietHour(of life: EnduranceRun) {
        let before = life.bus.counts
        life.live(forSeconds: 3_600, withFaults: false)
        let after = life.bus.counts
        XCTAssertEqual(after.calls["Connect"], before.calls["Connect"])
        XCTAssertEqual(after.lines, before.lines)
        let renewals = Int(3_600 / Discovery.sessionSeconds.longest) + 1
        XCTAssertLessThanOrEqual(after.wakes - before.wakes, 2 * 2 * renewals)
    }
}
