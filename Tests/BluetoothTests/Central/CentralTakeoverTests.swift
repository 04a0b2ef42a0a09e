import DBus
import XCTest

@testable import Bluetooth

/// Links that were there already, and links that do not go away.
final class CentralTakeoverTests: XCTestCase {
    func testConnectedAlready_isReadAndLeftAtTheEnd() {
        let driver = MachineDriver.central(1)
        driver.tell { $0.addDevice(1, isConnected: true) }
        driver.resolve(1)
        driver.answerConversation()
        XCTAssertEqual(driver.state(1), .live)
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(
            driver.takeCalls(),
            ["StopNotify hci0/01/service180d/c2", "StopNotify hci0/01/service180f/c4"])
    }

    /// A connected device does not advertise, so nobody would hear it again.
    func testDisconnectThatFails_isFollowedByAnotherAttempt() {
        let driver = MachineDriver.central(1)
        driver.hear(1)
        driver.answer("Connect hci0/01")
        driver.setConnected(1, to: true)
        driver.pass(20)
        driver.answer("Disconnect hci0/01", .timedOut)
        XCTAssertEqual(
            driver.state(1), .backOff(isHeard: false, endsWhenHeard: true))
        driver.clear()

        driver.pass(1)
        XCTAssertEqual(driver.state(1), .resolving)
        driver.resolve(1)
        driver.answerConversation()

        XCTAssertEqual(driver.state(1), .live)
        driver.clear()
        driver.handle(.stop)
        XCTAssertEqual(driver.takeCalls(), ["Disconnect hci0/01"], "it is still ours")
    }

    func testLinkOfSomebodyElse_withoutTheService_isNeitherEndedNorForgotten() {
        let driver = MachineDriver.central(1)
        driver.tell { $0.addDevice(1, isConnected: true) }
        driver.tell {
            $0.set(Daemon.device(1), BlueZName.device, ["ServicesResolved": .boolean(true)])
        }

        driver.pass(600)

        XCTAssertEqual(driver.takeCalls(ofAdapters: true).filter { $0.contains("/01") }, [])
    }

    func testLinkOfSomebodyElse_afterOursWasLost_isTheirs() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.handle(.finished(.link(.ending(1), .disconnect, attempt: 1), .success([])))
        driver.setConnected(1, to: false)
        driver.pass(1)
        driver.setConnected(1, to: true)
        driver.clear()

        driver.handle(.stop)

        XCTAssertFalse(driver.takeCalls().contains("Disconnect hci0/01"))
    }

    func testHangingConnect_isWhatTheOthersWaitFor() {
        let driver = MachineDriver.central(1, 2)
        driver.hear(1)
        driver.clear()

        driver.hear(2)
        driver.hear(2)

        XCTAssertEqual(
            driver.says(), ["02 wanted: heard; waits until the adapter has time"])
    }

    func testAdapterUnplugged_isToldAsSuch() {
        for isObjectTold in [false, true] {
            let driver = MachineDriver.central(1, adapters: 2)
            driver.makeLive(1)
            driver.setConnected(1, to: false)
            driver.clear()

            if isObjectTold { driver.tell { $0.remove(Daemon.device(1), BlueZName.device) } }
            driver.tell { $0.remove(Daemon.adapter(0), BlueZName.adapter) }

            XCTAssertEqual(driver.says().last, "01 wanted: the adapter hci0 is gone")
        }
    }

    func testAdapterBack_doesNotHideTheLastReason() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.setConnected(1, to: false)
        driver.tell {
            $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(false)])
        }
        driver.clear()

        driver.tell {
            $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(true)])
        }

        XCTAssertEqual(driver.says(), ["no trouble", "01 wanted: the link was lost"])
    }
}
