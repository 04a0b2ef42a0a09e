import DBus
import XCTest

@testable import Bluetooth

/// Which strap an adapter connects next, and how long one that does not answer may occupy it.
final class CentralOrderTests: XCTestCase {
    private let abort = BusError.failed("le-connection-abort-by-local")
    private let refusal = BusError.failed("le-connection-refused")

    func testNoAnswer_whenNobodyElseWaits_isWaitedForTwentySeconds() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.clear()

        driver.pass(19.9)
        XCTAssertEqual(driver.removeCalls(), [])
        driver.pass(0.1)
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
    }

    func testNoAnswer_whileAnotherWaits_isGivenUpAfterSixSeconds() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.advertise(2)
        driver.clear()

        driver.pass(5.9)
        XCTAssertEqual(driver.removeCalls(), [])
        driver.pass(0.1)
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
    }

    func testNoAnswer_whenAnotherComesLater_isGivenUpAsSoonAsSixSecondsHavePassed() {
        for (seconds, rest) in [(2.0, 4.0), (6.0, 0.0), (15.0, 0.0)] {
            let driver = MachineDriver.central(1, 2)
            driver.advertise(1)
            driver.pass(seconds)
            driver.clear()

            driver.advertise(2)
            driver.pass(rest)

            XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"], "\(seconds)")
        }
    }

    func testNoAnswer_whileAnotherWaitsForAnotherAdapter_isWaitedForTwentySeconds() {
        let driver = MachineDriver.central(1, 2, adapters: 2)
        driver.advertise(1, on: 0)
        driver.advertise(2, on: 1)
        driver.clear()

        driver.pass(19.9)

        XCTAssertEqual(driver.removeCalls(), [])
    }

    /// A strap that is switched off must not hold up ten others again and again.
    func testDeadStrap_costsTheOthersOneShortAttempt() {
        let driver = MachineDriver.central(1, 2, 3, 4)
        for number in UInt8(1)...4 { driver.advertise(number) }
        driver.pass(6)
        driver.answer("Disconnect hci0/01")
        driver.advertise(1, strength: -70)
        driver.pass(1)
        driver.clear()

        for number in UInt8(2)...4 {
            driver.answer("Connect hci0/0\(number)")
            driver.resolve(number)
            driver.answerSession()
        }

        XCTAssertEqual(
            driver.removeCalls().filter { $0.hasPrefix("Connect") },
            ["Connect hci0/03", "Connect hci0/04", "Connect hci0/01"])
    }

    func testOrder_isSeenRecentlyThenFewestFailuresThenLeastRecentlyAttempted() {
        let driver = MachineDriver.central(1, 2, 3, 4, 5)
        // 1 is attempted all the time; 2 has failed; 3 and 4 are new; 5 was seen long ago.
        driver.advertise(2)
        driver.answer("Connect hci0/02", refusal)
        driver.advertise(1)
        driver.pass(0.5)
        driver.advertise(5)
        driver.pass(5.2)
        driver.clear()
        driver.advertise(4)
        driver.advertise(3)
        driver.advertise(2, strength: -70)
        driver.pass(5)
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])

        driver.answer("Disconnect hci0/01")
        for number in [3, 4, 2] {
            driver.answer("Connect hci0/0\(number)")
        }

        XCTAssertEqual(
            driver.removeCalls(),
            ["Connect hci0/03", "Connect hci0/04", "Connect hci0/02", "Connect hci0/05"])
    }

    /// However often a strap has failed, it is connected when it has waited.
    func testFailures_areForgottenWhileWaiting() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        for number in Int16(0)..<4 {
            driver.answer("Connect hci0/01", refusal)
            driver.advertise(1, strength: -70 + number)
            driver.pass(1)
        }
        driver.answer("Connect hci0/01", refusal)
        driver.advertise(2)
        driver.clear()
        var attempts = 0
        while driver.removeCalls() != ["Connect hci0/01"], attempts < 100 {
            attempts += 1
            if driver.open.contains(where: { $0.words == "Connect hci0/02" }) {
                driver.answer("Connect hci0/02", abort)
            }
            driver.advertise(1, strength: attempts % 2 == 0 ? -50 : -70)
            driver.advertise(2, strength: attempts % 2 == 0 ? -50 : -70)
            driver.pass(1)
        }

        XCTAssertLessThan(attempts, 40)
    }

    /// A link that exists occupies no adapter.
    func testConnectedAlready_isReadWhileTheAdapterIsBusy() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.clear()

        driver.feed { $0.addDevice(2, isConnected: true) }

        XCTAssertEqual(driver.state(2), .resolving)
        XCTAssertEqual(driver.removeCalls(), [])
        driver.pass(19)
        XCTAssertEqual(driver.state(1), .connecting, "nobody waits")
    }
}
