import DBus
import GatewayCore
import GatewayTesting
import XCTest

@testable import Bluetooth
@testable import BluetoothSetup

final class InspectMachineTests: InspectMachineTestCase {
    func testDevice_isFoundConnectedReadAndListenedTo() {
        let driver = makeDriver()
        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
        driver.feed { $0.addDevice(2, strength: -60) }
        driver.feed { $0.addDevice(1) }
        XCTAssertEqual(outputWords(driver), ["scanning"])
        XCTAssertEqual(driver.removeCalls(), [], "it is only remembered")

        set(driver, ["RSSI": .int16(-60)])
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
        set(driver, ["Connected": .boolean(true)])
        driver.answer("Connect hci0/01")
        driver.feed { $0.addServices(of: 1) }
        set(driver, ["ServicesResolved": .boolean(true)])
        driver.answer("ReadValue hci0/01/service180a/c1", with: [.bytes([65])])
        driver.answer("ReadValue hci0/01/service180d/c3", .bluez("NotPermitted", "no"))
        driver.answerSession()

        XCTAssertEqual(
            outputWords(driver),
            [
                "connecting Strap",
                "discovered Strap: 180a(2a29) 180d(2a37 2a38) 180f(2a19)",
                "2a29 read [65]", "2a38 refused: no (org.bluez.Error.NotPermitted)",
                "2a19 read [1]", "listening",
            ])
        XCTAssertEqual(
            driver.removeCalls(),
            [
                "ReadValue hci0/01/service180a/c1", "ReadValue hci0/01/service180d/c3",
                "ReadValue hci0/01/service180f/c4", "StartNotify hci0/01/service180d/c2",
                "StartNotify hci0/01/service180f/c4",
            ])
    }

    func testNotifications_areShownAndAnswersToReadsOnlyOnce() {
        let driver = connected()
        driver.clear()

        driver.feed {
            $0.set(
                "\(Daemon.device(1))/service180a/c1", BlueZName.gattCharacteristic,
                ["Value": .bytes([1])])
        }
        XCTAssertEqual(outputWords(driver), [], "BlueZ tells the answer to a read in the same way")
        driver.answerSession()
        driver.clear()
        driver.feed {
            $0.set("\(service)/c2", BlueZName.gattCharacteristic, ["Value": .bytes([72])])
        }

        XCTAssertEqual(outputWords(driver), ["2a37 notified [72]"])
    }

    func testSearch_endsWithTheConnection() {
        let driver = makeDriver()
        driver.clear()

        driver.feed { $0.addDevice(1, strength: -60) }

        XCTAssertEqual(
            driver.removeCalls(ofAdapters: true), ["Connect hci0/01", "StopDiscovery hci0"])
    }

    func testSearch_thatIsJustStarting_endsWithTheConnectionToo() {
        let driver = MachineDriver(InspectMachine(address: address, policy: LinkPolicy()))
        driver.adaptersAnswer = false
        driver.feed { $0.addAdapter(0) }
        driver.start()
        driver.feed { $0.addDevice(1, strength: -60) }
        driver.answer("SetDiscoveryFilter hci0")
        driver.answer("StartDiscovery hci0")

        driver.answer("StopDiscovery hci0")

        XCTAssertEqual(driver.open.map(\.words), ["Connect hci0/01"])
        driver.pass(19)
        XCTAssertEqual(driver.open.map(\.words), ["Connect hci0/01"])
    }

    func testConnectedByAnotherProgram_isTakenOverAndLeftToThem() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(1, isConnected: true) }
        driver.feed { $0.addServices(of: 1) }
        set(driver, ["ServicesResolved": .boolean(true)])
        driver.answerSession()
        XCTAssertEqual(outputWords(driver).last, "listening")

        driver.handle(.stop)

        XCTAssertFalse(
            driver.removeCalls().contains { $0.hasSuffix("hci0/01") }, "neither made nor ended")
    }

    func testConnectedAlready_isAsGoodAsConnected() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(1, strength: -60) }

        driver.answer("Connect hci0/01", .bluez("AlreadyConnected"))
        driver.feed { $0.addServices(of: 1) }
        set(driver, ["Connected": .boolean(true), "ServicesResolved": .boolean(true)])

        XCTAssertEqual(driver.ends, [])
        XCTAssertTrue(driver.removeCalls().contains("ReadValue hci0/01/service180a/c1"))
    }

    private let ends = [
        "StopNotify hci0/01/service180d/c2", "StopNotify hci0/01/service180f/c4",
    ]

    func testStop_disconnectsWhatItConnected() {
        let driver = connected()
        driver.answerSession()
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(), ends)
        driver.answerSession()
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
        driver.feed { $0.addDevice(1, on: 0, strength: -50) }
        driver.pass(100)
        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])
    }

    /// The gateway was started meanwhile and uses the link.
    func testStop_whenAnotherProgramStillListens_leavesTheLink() {
        let driver = connected()
        driver.answerSession()
        driver.feed {
            $0.set("\(service)/c2", BlueZName.gattCharacteristic, ["Notifying": .boolean(true)])
        }
        driver.clear()

        driver.handle(.stop)
        driver.answerSession()

        XCTAssertEqual(driver.removeCalls(), ends, "it continues to notify")
    }

    /// The gateway has acquired the values, which does not show as `Notifying`.
    func testStop_whenAnotherProgramHasAcquired_leavesTheLink() {
        let driver = connected()
        driver.answerSession()
        driver.feed {
            $0.set(
                "\(service)/c2", BlueZName.gattCharacteristic,
                ["NotifyAcquired": .boolean(true)])
        }
        driver.clear()

        driver.handle(.stop)
        driver.answerSession()

        XCTAssertEqual(driver.removeCalls(), ends, "a program receives its values")
    }

    func testStop_beforeItListens_withdrawsOrEndsTheLink() {
        let connecting = makeDriver()
        connecting.feed { $0.addDevice(1, strength: -60) }
        connecting.clear()
        connecting.handle(.stop)
        XCTAssertEqual(connecting.removeCalls(), ["Disconnect hci0/01"])

        let resolving = connected(resolves: false)
        resolving.handle(.stop)
        XCTAssertEqual(resolving.removeCalls(), ["Disconnect hci0/01"])
    }

    func testConnectedMeanwhile_isLeftToWhoDidIt() {
        let errors: [BusError] = [
            .bluez("AlreadyConnected"), .bluez("InProgress"),
            .failed("Operation already in progress"),
        ]
        for error in errors {
            let driver = makeDriver()
            driver.feed { $0.addDevice(1, strength: -60) }
            driver.answer("Connect hci0/01", error)
            set(driver, ["Connected": .boolean(true)])
            driver.feed { $0.addServices(of: 1) }
            set(driver, ["ServicesResolved": .boolean(true)])
            driver.answerSession()
            XCTAssertEqual(outputWords(driver).last, "listening", "\(error)")
            driver.clear()

            driver.handle(.stop)
            driver.answerSession()

            XCTAssertEqual(driver.removeCalls(), ends, "\(error)")
        }
    }

    func testConnectedByAnotherProgram_whoseAttemptFails_endsWithoutTouchingIt() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(1, strength: -60) }
        driver.answer("Connect hci0/01", .bluez("InProgress"))
        driver.clear()

        driver.pass(20)

        XCTAssertEqual(driver.removeCalls(), [])
        assertEnds(driver, "\(address) does not respond")
    }

    func testLinkLost_isNotDisconnectedOnceMore() {
        let driver = connected()
        driver.clear()
        set(driver, ["Connected": .boolean(false)])
        XCTAssertEqual(driver.removeCalls(), [], "the gateway may be connecting it again")
    }

    func testCopies_areShownOnce() {
        let driver = connected()
        driver.answerSession()
        driver.clear()
        for value: UInt8 in [72, 72, 73] {
            driver.pass(1)
            for _ in 0..<2 {
                driver.feed {
                    $0.set(
                        "\(service)/c2", BlueZName.gattCharacteristic, ["Value": .bytes([value])])
                }
            }
        }
        XCTAssertEqual(
            outputWords(driver), ["2a37 notified [72]", "2a37 notified [72]", "2a37 notified [73]"])
    }

    func testStop_whileLooking_endsTheSearch() {
        let driver = makeDriver()
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.removeCalls(ofAdapters: true), ["StopDiscovery hci0"])
    }
}
