import DBus
import GatewayCore
import XCTest

@testable import Bluetooth

/// Links of an earlier run, which was killed.
final class CentralOwnershipTests: XCTestCase {
    private static let one = BluetoothSelection(devices: .named([.ending(1)]))

    /// A machine that starts when bluetoothd has links to these devices.
    private func start(
        _ selection: BluetoothSelection = one, earlier: [UInt8: String], connected: [UInt8],
        isNotifying: Bool = false
    ) -> MachineDriver<CentralMachine> {
        let links = earlier.map { (BluetoothAddress.ending($0.key), $0.value) }
        return .central(
            selection, earlierLinks: Dictionary(uniqueKeysWithValues: links)
        ) { daemon in
            connected.flatMap { number in
                var changes = daemon.addDevice(number, isConnected: true)
                changes += daemon.addServices(of: number)
                changes += daemon.set(
                    "\(Daemon.device(number))/service180d/c2", BlueZName.gattCharacteristic,
                    ["Notifying": .boolean(isNotifying)])
                return changes
            }
        }
    }

    func testOwnLink_isRecordedWhenItIsMade_andNoLongerWhenItHasEnded() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        XCTAssertEqual(driver.removeOwnLinks(), ["01 own link in bus :1.0"])

        driver.setConnected(1, to: false)
        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
    }

    func testOwnLink_isNoLongerRecordedAfterAStop() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
    }

    func testOwnLink_ofADeselectedDevice_isNoLongerRecorded() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()

        driver.apply(.select(BluetoothSelection(devices: .named([]))))

        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
    }

    func testLinkOfAnotherProgram_isNotRecorded() {
        let driver = start(earlier: [:], connected: [1])
        driver.resolve(1)
        driver.answerSession()
        XCTAssertEqual(driver.removeOwnLinks(), [])
    }

    /// bluetoothd did not respond, and the subscriptions of this run are still in place.
    func testOwnLink_ofABluetoothdThatIsBack_isStillOwn() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()
        for _ in 0..<2 {
            driver.handle(.unavailable(LinkError("bluetoothd does not respond")))
        }
        driver.feed {
            $0.set(
                "\(Daemon.device(1))/service180d/c2", BlueZName.gattCharacteristic,
                ["Notifying": .boolean(true)])
        }
        driver.start()
        driver.pass(1)
        driver.answerSession()
        driver.notify(1, [61])
        XCTAssertEqual(driver.state(1), .live)
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
    }

    func testEarlierLink_isReadAndEndedAtTheStop() {
        let driver = start(earlier: [1: Daemon.name(0)], connected: [1])
        driver.resolve(1)
        driver.answerSession()
        driver.notify(1, [61])
        XCTAssertEqual(driver.state(1), .live)
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
    }

    func testEarlierLink_thatAnotherProgramHasSubscribedTo_isLeftToIt() {
        let driver = start(earlier: [1: Daemon.name(0)], connected: [1], isNotifying: true)
        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
        driver.resolve(1)
        driver.answerSession()
        driver.clear()

        driver.handle(.stop)

        XCTAssertFalse(driver.removeCalls().contains("Disconnect hci0/01"))
    }

    func testEarlierLink_ofAnEarlierBluetoothd_isOfNoConsequence() {
        let driver = start(earlier: [1: "bus :1.7"], connected: [1])
        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
        driver.resolve(1)
        driver.answerSession()
        driver.clear()

        driver.handle(.stop)

        XCTAssertFalse(driver.removeCalls().contains("Disconnect hci0/01"))
    }

    func testEarlierLink_thatHasEnded_isForgotten() {
        let driver = start(earlier: [1: Daemon.name(0)], connected: [])
        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
    }

    func testEarlierLink_toADeviceThatIsNotSelectedAnyMore_isEnded() {
        let driver = start(earlier: [2: Daemon.name(0)], connected: [2])
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/02"])
        XCTAssertEqual(driver.removeOwnLinks(), ["02 no own link"])
        driver.answer("Disconnect hci0/02", .timedOut)
        XCTAssertEqual(driver.removeCalls(), [])
    }

    func testEarlierLink_withAnyDevice_isReadAndEndedAtTheStop() {
        let driver = start(
            BluetoothSelection(devices: .any), earlier: [1: Daemon.name(0)], connected: [1])
        driver.resolve(1)
        driver.answerSession()
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
    }

    /// bluetoothd did not answer in time, but has kept everything.
    func testInterruption_ownLinksRemainOwn() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()
        driver.handle(.unavailable(LinkError("bluetoothd does not answer")))
        XCTAssertEqual(driver.removeOwnLinks(), [])

        driver.start()
        driver.answerSession()
        driver.clear()
        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
    }

    func testRestartOfBluetoothd_endsTheOwnership() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()
        driver.loseDaemon()
        driver.feed { $0.addAdapter(0) }
        driver.feed { $0.addDevice(1, isConnected: true) }

        driver.start()

        XCTAssertEqual(driver.removeOwnLinks(), ["01 no own link"])
        driver.handle(.stop)
        XCTAssertFalse(driver.removeCalls().contains("Disconnect hci0/01"))
    }
}
