import DBus
import GatewayTesting
import XCTest

@testable import Bluetooth
@testable import BluetoothSetup

/// Errors that end an inspection.
final class InspectMachineEndTests: InspectMachineTestCase {
    func testEnds_whenThereIsNoAdapterOrItIsOff() {
        assertEnds(
            makeDriver(adapters: 0),
            "no Bluetooth adapter found; plug it in and check with `bluetoothctl list`")
        let driver = MachineDriver(InspectMachine(address: address, policy: LinkPolicy()))
        driver.feed { $0.addAdapter(0, isPowered: false) }
        driver.start()
        assertEnds(
            driver, "Bluetooth adapter hci0 is powered off; turn it on: bluetoothctl power on")
    }

    func testEnds_whenItIsNotSeen() {
        let driver = makeDriver()
        driver.pass(19.9)
        XCTAssertEqual(driver.ends, [])

        driver.pass(0.1)

        assertEnds(
            driver,
            "\(address) was not seen; "
                + "switch it on, move it closer, and disconnect it from other hosts"
        )
    }

    func testEnds_whenItCannotBeConnected() {
        let refused = makeDriver()
        refused.feed { $0.addDevice(1, strength: -60) }
        refused.answer("Connect hci0/01", .failed("le-connection-refused"))
        assertEnds(
            refused,
            "cannot connect to \(address): le-connection-refused (org.bluez.Error.Failed)")

        let silent = makeDriver()
        silent.feed { $0.addDevice(1, strength: -60) }
        silent.pass(20)
        XCTAssertEqual(silent.removeCalls().last, "Disconnect hci0/01")
        assertEnds(silent, "\(address) does not respond")
    }

    func testEnds_whenItsServicesAreNotFound() {
        let driver = connected(resolves: false)

        driver.pass(20)

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
        assertEnds(driver, "service discovery on \(address) timed out")
    }

    func testEnds_whenTheLinkIsLost() {
        for resolves in [false, true] {
            let driver = connected(resolves: resolves)
            set(driver, ["Connected": .boolean(false)])
            assertEnds(driver, "link to \(address) lost")
        }
    }

    func testEnds_whenItsObjectIsGone() {
        let driver = connected()
        driver.feed { $0.remove(Daemon.device(1), BlueZName.device) }
        assertEnds(driver, "\(address) is no longer in range")
    }

    func testContinues_whenOnlyItsBatteryIsGone() {
        let driver = connected()
        driver.feed { $0.add(Daemon.device(1), BlueZName.battery, ["Percentage": .byte(1)]) }

        driver.feed { $0.remove(Daemon.device(1), BlueZName.battery) }

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
            driver.feed { RandomBus.fill(&$0) }
            var random = RandomBus(seed: seed)
            for _ in 0..<150 { driver.shake(&random) }
            XCTAssertLessThanOrEqual(driver.ends.count, 1, "seed \(seed)")
            listening += outputWords(driver).filter { $0 == "listening" }.count
        }
        XCTAssertGreaterThan(listening, 5, "some get that far")
    }
}
