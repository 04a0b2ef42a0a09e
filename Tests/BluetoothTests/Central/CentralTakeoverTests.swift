import DBus
import XCTest

@testable import Bluetooth

/// Links that were there already, and links that do not go away.
final class CentralTakeoverTests: XCTestCase {
    func testConnectedAlready_isReadAndLeftAtTheEnd() {
        let driver = MachineDriver.central(1)
        driver.feed { $0.addDevice(1, isConnected: true) }
        driver.resolve(1)
        driver.answerSession()
        XCTAssertEqual(driver.state(1), .live)
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(
            driver.removeCalls(),
            ["StopNotify hci0/01/service180d/c2", "StopNotify hci0/01/service180f/c4"])
    }

    /// A connected device does not advertise, so it would not be seen again.
    func testDisconnectThatFails_isFollowedByAnotherAttempt() {
        let driver = MachineDriver.central(1)
        driver.advertise(1)
        driver.answer("Connect hci0/01")
        driver.setConnected(1, to: true)
        driver.pass(20)
        driver.answer("Disconnect hci0/01", .timedOut)
        XCTAssertEqual(
            driver.state(1), .backOff(isSeen: false, endsWhenSeen: true))
        driver.clear()

        driver.pass(1)
        XCTAssertEqual(driver.state(1), .resolving)
        driver.resolve(1)
        driver.answerSession()

        XCTAssertEqual(driver.state(1), .live)
        driver.clear()
        driver.handle(.stop)
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"], "it is still ours")
    }

    func testLinkOfAnotherProgram_withoutTheService_isNeitherEndedNorForgotten() {
        let driver = MachineDriver.central(1)
        driver.feed { $0.addDevice(1, isConnected: true) }
        driver.feed {
            $0.set(Daemon.device(1), BlueZName.device, ["ServicesResolved": .boolean(true)])
        }

        driver.pass(600)

        XCTAssertEqual(driver.removeCalls(ofAdapters: true).filter { $0.contains("/01") }, [])
    }

    func testLinkOfAnotherProgram_afterOursWasLost_isTheirs() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.handle(.finished(.link(.ending(1), .disconnect, attempt: 1), .success([])))
        driver.setConnected(1, to: false)
        driver.pass(1)
        driver.setConnected(1, to: true)
        driver.clear()

        driver.handle(.stop)

        XCTAssertFalse(driver.removeCalls().contains("Disconnect hci0/01"))
    }

    func testHangingConnect_isWhatTheOthersWaitFor() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.clear()

        driver.advertise(2)
        driver.advertise(2)

        XCTAssertEqual(
            driver.outputWords(), ["02 wanted: seen; waiting for the adapter"])
    }

    func testAdapterUnplugged_isReportedAsSuch() {
        for isObjectTold in [false, true] {
            let driver = MachineDriver.central(1, adapters: 2)
            driver.makeLive(1)
            driver.setConnected(1, to: false)
            driver.clear()

            if isObjectTold { driver.feed { $0.remove(Daemon.device(1), BlueZName.device) } }
            driver.feed { $0.remove(Daemon.adapter(0), BlueZName.adapter) }

            XCTAssertEqual(driver.outputWords().last, "01 wanted: adapter hci0 was removed")
        }
    }

    func testAdapterBack_doesNotHideTheLastReason() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.setConnected(1, to: false)
        driver.feed {
            $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(false)])
        }
        driver.clear()

        driver.feed {
            $0.set(Daemon.adapter(0), BlueZName.adapter, ["Powered": .boolean(true)])
        }

        XCTAssertEqual(driver.outputWords(), ["no problem", "01 wanted: link lost"])
    }
}
