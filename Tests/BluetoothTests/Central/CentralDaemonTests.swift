import DBus
import GatewayCore
import Platform
import XCTest

@testable import Bluetooth

final class CentralDaemonTests: XCTestCase {
    private let dead = "bluetoothd is not running"

    func testLost_everyLinkWaitsForIt() {
        let driver = MachineDriver.central(1, 2, 3)
        driver.makeLive(1)
        driver.hear(2)
        driver.clear()

        driver.loseDaemon()

        XCTAssertEqual(
            driver.says(),
            [
                "trouble: \(dead)", "01 closed: \(dead)", "01 wanted: \(dead)",
                "02 wanted: \(dead)", "03 wanted: \(dead)",
            ])
        XCTAssertNil(driver.machine.wakeTime)
        XCTAssertEqual(driver.takeCalls(ofAdapters: true), [])
    }

    func testBack_beginsAnew() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.pass(10)
        driver.loseDaemon()
        driver.clear()

        driver.tell { $0.addAdapter(0) }
        driver.tell { $0.addDevice(1) }
        driver.start()

        XCTAssertEqual(driver.says(), ["no trouble", "01 wanted: not heard yet"])
        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
        driver.makeLive(1)
        XCTAssertEqual(driver.state(1), .live)
    }

    func testBack_withoutAnAdapter_saysSo() {
        let driver = MachineDriver.central(1)
        driver.loseDaemon()
        driver.clear()

        driver.start()

        XCTAssertEqual(
            driver.says(),
            ["trouble: no Bluetooth adapter", "01 wanted: no Bluetooth adapter"])
    }

    func testBack_afterAMomentInTheMiddleOfAnAttempt_waitsForTheSecondToPass() {
        let driver = MachineDriver.central(1)
        driver.hear(1)
        driver.loseDaemon()
        driver.tell { $0.addAdapter(0) }
        driver.start()
        driver.clear()

        driver.hear(1)
        XCTAssertEqual(driver.takeCalls(), [])
        driver.pass(1)
        XCTAssertEqual(driver.takeCalls(), ["Connect hci0/01"])
    }

    func testBack_isNoFailureOfTheDevices() {
        let driver = MachineDriver.central(1)
        for _ in 0..<10 {
            driver.hear(1)
            driver.pass(2)
            driver.loseDaemon()
            driver.tell { $0.addAdapter(0) }
            driver.start()
        }
        driver.hear(1)
        driver.pass(1)
        driver.clear()

        driver.answer("Connect hci0/01", .failed("le-connection-refused"))

        XCTAssertEqual(driver.machine.wakeTime?.seconds(since: driver.now) ?? 0, 0.25)
    }

    func testLost_again_isSaidOnce() {
        let driver = MachineDriver.central(1)
        driver.loseDaemon()
        driver.clear()

        driver.loseDaemon()
        driver.loseDaemon("bluetoothd does not answer")

        XCTAssertEqual(
            driver.says().filter { $0.hasPrefix("trouble") },
            ["trouble: bluetoothd does not answer"])
    }

    func testBusGone_isNoTroubleOfTheMachinesToTell() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()

        driver.handle(.closed(LinkError("the connection to D-Bus has ended")))

        XCTAssertEqual(
            driver.says(),
            [
                "01 closed: the connection to D-Bus has ended",
                "01 wanted: the connection to D-Bus has ended",
            ])
        XCTAssertNil(driver.machine.wakeTime)
    }

    func testStop_disconnectsWhatIsLinkedAndEndsTheSearch() {
        let driver = MachineDriver.central(1, 2, 3)
        driver.makeLive(1)
        driver.hear(2)
        driver.adaptersAnswer = false
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(
            driver.takeCalls(ofAdapters: true),
            ["Disconnect hci0/01", "Disconnect hci0/02", "StopDiscovery hci0"])
        XCTAssertEqual(driver.says(), ["01 closed: stopped", "01 idle", "02 idle", "03 idle"])
    }

    func testStop_whileNothingIsSought_onlyDisconnects() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.takeCalls(ofAdapters: true), ["Disconnect hci0/01"])
    }

    func testAfterTheStop_nothingIsBegunAnyMore() {
        let driver = MachineDriver.central(1, 2)
        driver.makeLive(1)
        driver.handle(.stop)
        driver.clear()

        driver.answer("Disconnect hci0/01")
        driver.setConnected(1, to: false)
        driver.hear(1, strength: -50)
        driver.hear(2)
        driver.tell { $0.addAdapter(1) }
        driver.pass(1_000)

        XCTAssertEqual(driver.takeCalls(ofAdapters: true), [])
        XCTAssertEqual(driver.says(), [])
        XCTAssertNil(driver.machine.wakeTime)
    }

    func testTroubles_sayWhatMendsThem() {
        let off = CentralTrouble.adapterOff("hci0")
        XCTAssertEqual(
            "\(off.error(isBlocked: nil))",
            "the Bluetooth adapter hci0 is off; bluetoothctl power on")
        XCTAssertEqual(
            "\(off.error(isBlocked: .bySoftware))",
            "the Bluetooth adapter hci0 is blocked; "
                + "rfkill unblock bluetooth && bluetoothctl power on")
        XCTAssertEqual(
            "\(off.error(isBlocked: .bySwitch))",
            "the Bluetooth adapter hci0 is blocked; use the machine's switch")
        XCTAssertEqual(
            "\(CentralTrouble.noAdapter(named: "hci1").error(isBlocked: nil))",
            "no Bluetooth adapter hci1; "
                + "plug it in; `bluetoothctl list` shows what there is")
        let error = LinkError("bluetoothd is not running", remedy: "start it")
        XCTAssertEqual(CentralTrouble.bluetoothd(error).error(isBlocked: .bySwitch), error)
    }
}
