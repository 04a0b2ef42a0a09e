import DBus
import XCTest

@testable import Bluetooth

/// bluetoothd is back, and its answers to the first calls are wrong.
///
/// The property `Discovering` tells whether an adapter discovers; an answer does not.
final class CentralReturnTests: XCTestCase {
    /// The rest of the 5 s until data is back is for the connection.
    private static let discoverySeconds = 4.0

    /// A machine whose bluetoothd was killed while a strap was live, and is back.
    private func returned() -> MachineDriver<CentralMachine> {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.pass(100)
        driver.loseDaemon()
        driver.pass(3)
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.feed {
            $0.set(Daemon.adapter(0), BlueZName.adapter, ["Discovering": .boolean(false)])
        }
        driver.feed { $0.addDevice(1) }
        driver.start()
        return driver
    }

    func testAnyCall_whateverItIsAnswered_delaysDiscoveryByALittle() {
        for fault in DiscoveryAnswers.Fault.allCases {
            for number in 0..<6 {
                let driver = returned()
                var answers = DiscoveryAnswers(fault, calls: number..<(number + 1))

                let seconds = driver.secondsUntilDiscovery(&answers)

                XCTAssertLessThanOrEqual(
                    seconds, Self.discoverySeconds, "\(fault), call \(number)")
            }
        }
    }

    func testTheFirstCalls_whateverTheyAreAnswered_delayDiscoveryByALittle() {
        for fault in DiscoveryAnswers.Fault.allCases where fault != .noAnswer {
            for count in 1...4 {
                let driver = returned()
                var answers = DiscoveryAnswers(fault, calls: 0..<count)

                let seconds = driver.secondsUntilDiscovery(&answers)

                XCTAssertLessThanOrEqual(
                    seconds, Self.discoverySeconds, "\(fault), \(count) calls")
            }
        }
    }

    /// Some versions show it only after the answer.
    func testDiscovering_aLittleLate_isWaitedFor() {
        for seconds in [0.1, 0.5, 0.9] {
            let driver = returned()
            var answers = DiscoveryAnswers(.failed, calls: 0..<0, delaySeconds: seconds)
            driver.clear()

            _ = driver.secondsUntilDiscovery(&answers)

            XCTAssertEqual(driver.takeAdapterCalls(), ["StartDiscovery hci0"], "\(seconds)")
        }
    }

    func testDiscovering_endedByBluetoothd_isStartedAgainAtOnce() {
        let driver = returned()
        var answers = DiscoveryAnswers(.failed, calls: 0..<0)
        _ = driver.secondsUntilDiscovery(&answers)
        driver.pass(60)
        driver.clear()

        driver.show(false)

        XCTAssertEqual(driver.takeAdapterCalls(), ["StopDiscovery hci0"])
        XCTAssertLessThanOrEqual(driver.secondsUntilDiscovery(&answers), 0.1)
    }

    func testDiscovering_endedAgainAndAgain_isStartedLessAndLessOften() {
        let driver = returned()
        var answers = DiscoveryAnswers(.failed, calls: 0..<0)
        for _ in 0..<20 {
            _ = driver.secondsUntilDiscovery(&answers)
            driver.show(false)
        }
        driver.clear()

        let seconds = driver.secondsUntilDiscovery(&answers)

        XCTAssertGreaterThan(seconds, 2)
        XCTAssertLessThanOrEqual(seconds, Self.discoverySeconds)
    }

    func testDiscovering_thatTheAdapterDoesNotShowAtAll_isTakenFromTheAnswer() {
        let driver = MachineDriver.central(1)
        driver.clear()

        driver.pass(100)

        XCTAssertEqual(driver.takeAdapterCalls(), [])
    }
}
