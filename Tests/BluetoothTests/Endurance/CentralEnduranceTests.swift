import DBus
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

/// Half a day of injected time with twenty straps, two adapters and faults at random: nothing
/// grows, and every strap comes back.
final class CentralEnduranceTests: XCTestCase {
    private static let halfADay = 43_200.0

    func testNamed_halfADay_everythingIsFlat() {
        let residents = Set(EnduranceBus.residents.map { BluetoothAddress.ending($0) })
        run(BluetoothSelection(devices: .named(residents)))
    }

    func testAny_halfADay_everythingIsFlat() {
        run(BluetoothSelection(devices: .any))
    }

    private func run(_ selection: BluetoothSelection) {
        for seed in 1...UInt64(FuzzFactor.current) {
            print("seed \(seed)")
            let life = EnduranceRun(selection, seed: seed)
            life.live(forSeconds: 300, withFaults: false)
            let before = life.sizes
            XCTAssertEqual(life.missing, [], "seed \(seed)")
            life.live(forSeconds: Self.halfADay, withFaults: true)
            life.live(forSeconds: 2 * 3_600, withFaults: false)
            XCTAssertEqual(life.sizes, before, "seed \(seed)")
            XCTAssertEqual(life.missing, [], "seed \(seed)")
            XCTAssertEqual(life.complaints.prefix(5), [], "seed \(seed)")
            XCTAssertLessThan(life.mostConnectsInAnHour, 1_500, "seed \(seed)")
            XCTAssertGreaterThan(life.faultCount, 40, "seed \(seed)")
        }
    }
}
