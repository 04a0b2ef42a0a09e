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
        driver.advertise(2)
        driver.clear()

        driver.loseDaemon()

        XCTAssertEqual(
            driver.outputWords(),
            [
                "problem: \(dead)", "01 closed: \(dead)", "01 wanted: \(dead)",
                "02 wanted: \(dead)", "03 wanted: \(dead)",
            ])
        XCTAssertNil(driver.machine.wakeTime)
        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])
    }

    func testBack_startsAgain() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.pass(10)
        driver.loseDaemon()
        driver.clear()

        driver.feed { $0.addAdapter(0) }
        driver.feed { $0.addDevice(1) }
        driver.start()

        XCTAssertEqual(driver.outputWords(), ["no problem", "01 wanted: not seen yet"])
        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
        driver.makeLive(1)
        XCTAssertEqual(driver.state(1), .live)
    }

    func testBack_withoutAnAdapter_reportsIt() {
        let driver = MachineDriver.central(1)
        driver.loseDaemon()
        driver.clear()

        driver.start()

        XCTAssertEqual(
            driver.outputWords(),
            ["problem: no Bluetooth adapter found", "01 wanted: no Bluetooth adapter found"])
    }

    func testBack_afterAMomentInTheMiddleOfAnAttempt_waitsForTheSecondToPass() {
        let driver = MachineDriver.central(1)
        driver.advertise(1)
        driver.loseDaemon()
        driver.feed { $0.addAdapter(0) }
        driver.start()
        driver.clear()

        driver.advertise(1)
        XCTAssertEqual(driver.removeCalls(), [])
        driver.pass(1)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testBack_isNoFailureOfTheDevices() {
        let driver = MachineDriver.central(1)
        for _ in 0..<10 {
            driver.advertise(1)
            driver.pass(2)
            driver.loseDaemon()
            driver.feed { $0.addAdapter(0) }
            driver.start()
        }
        driver.advertise(1)
        driver.pass(1)
        driver.clear()

        driver.answer("Connect hci0/01", .failed("le-connection-refused"))

        XCTAssertEqual(driver.machine.wakeTime?.seconds(since: driver.now) ?? 0, 0.25)
    }

    func testLost_again_isReportedOnce() {
        let driver = MachineDriver.central(1)
        driver.loseDaemon()
        driver.clear()

        driver.loseDaemon()
        driver.loseDaemon("bluetoothd does not respond")

        XCTAssertEqual(
            driver.outputWords().filter { $0.hasPrefix("problem") },
            ["problem: bluetoothd does not respond"])
    }

    func testBusGone_isNoTroubleOfTheMachinesToTell() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()

        driver.handle(.closed(LinkError("D-Bus connection closed")))

        XCTAssertEqual(
            driver.outputWords(),
            [
                "01 closed: D-Bus connection closed",
                "01 wanted: D-Bus connection closed",
            ])
        XCTAssertNil(driver.machine.wakeTime)
    }

    func testStop_disconnectsWhatIsLinkedAndEndsTheSearch() {
        let driver = MachineDriver.central(1, 2, 3)
        driver.makeLive(1)
        driver.advertise(2)
        driver.adaptersAnswer = false
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(
            driver.removeCalls(ofAdapters: true),
            ["Disconnect hci0/01", "Disconnect hci0/02", "StopDiscovery hci0"])
        XCTAssertEqual(
            driver.outputWords(), ["01 closed: stopped", "01 idle", "02 idle", "03 idle"])
    }

    func testStop_whileNothingIsMissing_onlyDisconnects() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(ofAdapters: true), ["Disconnect hci0/01"])
    }

    func testAfterTheStop_nothingIsBegunAnyMore() {
        let driver = MachineDriver.central(1, 2)
        driver.makeLive(1)
        driver.handle(.stop)
        driver.clear()

        driver.answer("Disconnect hci0/01")
        driver.setConnected(1, to: false)
        driver.advertise(1, strength: -50)
        driver.advertise(2)
        driver.feed { $0.addAdapter(1) }
        driver.pass(1_000)

        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])
        XCTAssertEqual(driver.outputWords(), [])
        XCTAssertNil(driver.machine.wakeTime)
    }

    func testProblems_nameTheirRemedies() {
        let off = CentralProblem.adapterOff("hci0")
        XCTAssertEqual(
            "\(off.error(radioBlock: nil))",
            "Bluetooth adapter hci0 is powered off; turn it on: bluetoothctl power on")
        XCTAssertEqual(
            "\(off.error(radioBlock: .bySoftware))",
            "Bluetooth adapter hci0 is blocked by rfkill; "
                + "unblock it: rfkill unblock bluetooth && bluetoothctl power on")
        XCTAssertEqual(
            "\(off.error(radioBlock: .bySwitch))",
            "Bluetooth adapter hci0 is blocked by a hardware switch; "
                + "turn on the wireless switch of the computer"
        )
        XCTAssertEqual(
            "\(CentralProblem.noAdapter(named: "hci1").error(radioBlock: nil))",
            "Bluetooth adapter hci1 not found; "
                + "plug it in and check with `bluetoothctl list`")
        let error = LinkError("bluetoothd is not running", remedy: "start it")
        XCTAssertEqual(CentralProblem.bluetoothd(error).error(radioBlock: .bySwitch), error)
    }
}
