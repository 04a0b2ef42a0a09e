import DBus
import GatewayTesting
import XCTest

@testable import Bluetooth

/// What ends an inspection before somebody stops it.
final class InspectMachineEndTests: InspectMachineTestCase {
    func testEnds_whenThereIsNoAdapterOrItIsOff() {
        assertEnds(
            makeDriver(adapters: 0),
            "no Bluetooth adapter; plug it in; `bluetoothctl list` shows what there is")
        let driver = MachineDriver(InspectMachine(address: address, policy: LinkPolicy()))
        driver.tell { $0.addAdapter(0, isPowered: false) }
        driver.start()
        assertEnds(driver, "the Bluetooth adapter hci0 is off; bluetoothctl power on")
    }

    func testEnds_whenItIsNotHeard() {
        let driver = makeDriver()
        driver.pass(19.9)
        XCTAssertEqual(driver.ends, [])

        driver.pass(0.1)

        assertEnds(
            driver,
            "\(address) is not heard; switch it on, bring it nearer, and end other links to it")
    }

    func testEnds_whenItCannotBeConnected() {
        let refused = makeDriver()
        refused.tell { $0.addDevice(1, strength: -60) }
        refused.answer("Connect hci0/01", .failed("le-connection-refused"))
        assertEnds(
            refused,
            "cannot connect \(address): le-connection-refused (org.bluez.Error.Failed)")

        let silent = makeDriver()
        silent.tell { $0.addDevice(1, strength: -60) }
        silent.pass(20)
        XCTAssertEqual(silent.takeCalls().last, "Disconnect hci0/01")
        assertEnds(silent, "\(address) does not answer")
    }

    func testEnds_whenItsServicesAreNotFound() {
        let driver = connected(resolves: false)

        driver.pass(20)

        XCTAssertEqual(driver.takeCalls(), ["Disconnect hci0/01"])
        assertEnds(driver, "the services of \(address) were not found")
    }

    func testEnds_whenTheLinkIsLost() {
        for resolves in [false, true] {
            let driver = connected(resolves: resolves)
            set(driver, ["Connected": .boolean(false)])
            assertEnds(driver, "the link to \(address) was lost")
        }
    }

    func testEnds_whenItsObjectIsGone() {
        let driver = connected()
        driver.tell { $0.remove(Daemon.device(1), BlueZName.device) }
        assertEnds(driver, "\(address) is not heard any more")
    }

    func testGoesOn_whenOnlyItsBatteryIsGone() {
        let driver = connected()
        driver.tell { $0.add(Daemon.device(1), BlueZName.battery, ["Percentage": .byte(1)]) }

        driver.tell { $0.remove(Daemon.device(1), BlueZName.battery) }

        XCTAssertEqual(driver.ends, [])
    }

    func testEnds_whenBluetoothdIsGone() {
        let driver = connected()
        driver.loseDaemon()
        assertEnds(driver, "bluetoothd is not running")
    }

    func testRandomSignals_neverTrapAndEndOnce() {
        var listening = 0
        for seed in 1...UInt64(60 * FuzzFactor.current) {
            let driver = makeDriver()
            driver.tell { RandomBus.fill(&$0) }
            var random = RandomBus(seed: seed)
            for _ in 0..<150 { driver.shake(&random) }
            XCTAssertLessThanOrEqual(driver.ends.count, 1, "seed \(seed)")
            listening += says(driver).filter { $0 == "listening" }.count
        }
        XCTAssertGreaterThan(listening, 5, "some get that far")
    }
}
