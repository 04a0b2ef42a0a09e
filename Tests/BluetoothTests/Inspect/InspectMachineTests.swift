import DBus
import GatewayCore
import GatewayTesting
import XCTest

@testable import Bluetooth

final class InspectMachineTests: XCTestCase {
    private let address = BluetoothAddress.ending(1)
    private let service = "\(Daemon.device(1))/service180d"

    private func makeDriver(adapters: Int = 1) -> MachineDriver<InspectMachine> {
        let driver = MachineDriver(InspectMachine(address: .ending(1), policy: LinkPolicy()))
        for number in 0..<adapters { driver.tell { $0.addAdapter(number) } }
        driver.start()
        return driver
    }

    private func says(_ driver: MachineDriver<InspectMachine>) -> [String] {
        driver.takeOutputs().map(\.words)
    }

    private func set(
        _ driver: MachineDriver<InspectMachine>, _ properties: [String: BusValue]
    ) {
        driver.tell { $0.set(Daemon.device(1), BlueZName.device, properties) }
    }

    /// A driver whose device is connected and has told its services.
    private func connected(resolves: Bool = true) -> MachineDriver<InspectMachine> {
        let driver = makeDriver()
        driver.tell { $0.addDevice(1, strength: -60) }
        driver.answer("Connect hci0/01")
        set(driver, ["Connected": .boolean(true)])
        driver.tell { $0.addServices(of: 1) }
        driver.clear()
        if resolves { set(driver, ["ServicesResolved": .boolean(true)]) }
        return driver
    }

    func testDevice_isFoundConnectedReadAndListenedTo() {
        let driver = makeDriver()
        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
        driver.tell { $0.addDevice(2, strength: -60) }
        driver.tell { $0.addDevice(1) }
        XCTAssertEqual(says(driver), ["looking"])
        XCTAssertEqual(driver.takeCalls(), [], "it is only remembered")

        set(driver, ["RSSI": .int16(-60)])
        XCTAssertEqual(driver.takeCalls(), ["Connect hci0/01"])
        set(driver, ["Connected": .boolean(true)])
        driver.answer("Connect hci0/01")
        driver.tell { $0.addServices(of: 1) }
        set(driver, ["ServicesResolved": .boolean(true)])
        driver.answer("ReadValue hci0/01/service180a/c1", with: [.bytes([65])])
        driver.answer("ReadValue hci0/01/service180d/c3", .bluez("NotPermitted", "no"))
        driver.answerConversation()

        XCTAssertEqual(
            says(driver),
            [
                "connecting Strap",
                "offers Strap: 180a(2a29) 180d(2a37 2a38) 180f(2a19)",
                "2a29 read [65]", "2a38 refused: no (org.bluez.Error.NotPermitted)",
                "2a19 read [1]", "listening",
            ])
        XCTAssertEqual(
            driver.takeCalls(),
            [
                "ReadValue hci0/01/service180a/c1", "ReadValue hci0/01/service180d/c3",
                "ReadValue hci0/01/service180f/c4", "StartNotify hci0/01/service180d/c2",
                "StartNotify hci0/01/service180f/c4",
            ])
    }

    func testNotifications_areShownAndAnswersToReadsOnlyOnce() {
        let driver = connected()
        driver.clear()

        driver.tell {
            $0.set(
                "\(Daemon.device(1))/service180a/c1", BlueZName.gattCharacteristic,
                ["Value": .bytes([1])])
        }
        XCTAssertEqual(says(driver), [], "BlueZ tells the answer to a read in the same way")
        driver.answerConversation()
        driver.clear()
        driver.tell {
            $0.set("\(service)/c2", BlueZName.gattCharacteristic, ["Value": .bytes([72])])
        }

        XCTAssertEqual(says(driver), ["2a37 notified [72]"])
    }

    func testSearch_endsWithTheConnection() {
        let driver = makeDriver()
        driver.clear()

        driver.tell { $0.addDevice(1, strength: -60) }

        XCTAssertEqual(
            driver.takeCalls(ofAdapters: true), ["Connect hci0/01", "StopDiscovery hci0"])
    }

    func testSearch_thatIsJustBeginning_endsWithTheConnectionToo() {
        let driver = MachineDriver(InspectMachine(address: address, policy: LinkPolicy()))
        driver.adaptersAnswer = false
        driver.tell { $0.addAdapter(0) }
        driver.start()
        driver.tell { $0.addDevice(1, strength: -60) }
        driver.answer("SetDiscoveryFilter hci0")
        driver.answer("StartDiscovery hci0")

        driver.answer("StopDiscovery hci0")

        XCTAssertEqual(driver.open.map(\.words), ["Connect hci0/01"])
        driver.pass(19)
        XCTAssertEqual(driver.open.map(\.words), ["Connect hci0/01"])
    }

    func testConnectedBySomebodyElse_isTakenOverAndLeftToThem() {
        let driver = makeDriver()
        driver.tell { $0.addDevice(1, isConnected: true) }
        driver.tell { $0.addServices(of: 1) }
        set(driver, ["ServicesResolved": .boolean(true)])
        driver.answerConversation()
        XCTAssertEqual(says(driver).last, "listening")

        driver.handle(.stop)

        XCTAssertFalse(
            driver.takeCalls().contains { $0.hasSuffix("hci0/01") }, "neither made nor ended")
    }

    func testConnectedAlready_isAsGoodAsConnected() {
        let driver = makeDriver()
        driver.tell { $0.addDevice(1, strength: -60) }

        driver.answer("Connect hci0/01", .bluez("AlreadyConnected"))
        driver.tell { $0.addServices(of: 1) }
        set(driver, ["Connected": .boolean(true), "ServicesResolved": .boolean(true)])

        XCTAssertEqual(driver.ends, [])
        XCTAssertTrue(driver.takeCalls().contains("ReadValue hci0/01/service180a/c1"))
    }

    private let ends = [
        "StopNotify hci0/01/service180d/c2", "StopNotify hci0/01/service180f/c4",
    ]

    func testStop_disconnectsWhatItConnected() {
        let driver = connected()
        driver.answerConversation()
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.takeCalls(), ends)
        driver.answerConversation()
        XCTAssertEqual(driver.takeCalls(), ["Disconnect hci0/01"])
        driver.tell { $0.addDevice(1, on: 0, strength: -50) }
        driver.pass(100)
        XCTAssertEqual(driver.takeCalls(ofAdapters: true), [])
    }

    /// The gateway was started meanwhile and uses the link.
    func testStop_whenSomebodyElseStillListens_leavesTheLink() {
        let driver = connected()
        driver.answerConversation()
        driver.tell {
            $0.set("\(service)/c2", BlueZName.gattCharacteristic, ["Notifying": .boolean(true)])
        }
        driver.clear()

        driver.handle(.stop)
        driver.answerConversation()

        XCTAssertEqual(driver.takeCalls(), ends, "bluetoothd says that it goes on notifying")
    }

    func testStop_beforeItListens_withdrawsOrEndsTheLink() {
        let connecting = makeDriver()
        connecting.tell { $0.addDevice(1, strength: -60) }
        connecting.clear()
        connecting.handle(.stop)
        XCTAssertEqual(connecting.takeCalls(), ["Disconnect hci0/01"])

        let resolving = connected(resolves: false)
        resolving.handle(.stop)
        XCTAssertEqual(resolving.takeCalls(), ["Disconnect hci0/01"])
    }

    func testConnectedMeanwhile_isLeftToWhoDidIt() {
        let errors: [BusError] = [
            .bluez("AlreadyConnected"), .bluez("InProgress"),
            .failed("Operation already in progress"),
        ]
        for error in errors {
            let driver = makeDriver()
            driver.tell { $0.addDevice(1, strength: -60) }
            driver.answer("Connect hci0/01", error)
            set(driver, ["Connected": .boolean(true)])
            driver.tell { $0.addServices(of: 1) }
            set(driver, ["ServicesResolved": .boolean(true)])
            driver.answerConversation()
            XCTAssertEqual(says(driver).last, "listening", "\(error)")
            driver.clear()

            driver.handle(.stop)
            driver.answerConversation()

            XCTAssertEqual(driver.takeCalls(), ends, "\(error)")
        }
    }

    func testConnectedBySomebodyElse_whoseAttemptFails_endsWithoutTouchingIt() {
        let driver = makeDriver()
        driver.tell { $0.addDevice(1, strength: -60) }
        driver.answer("Connect hci0/01", .bluez("InProgress"))
        driver.clear()

        driver.pass(20)

        XCTAssertEqual(driver.takeCalls(), [])
        assertEnds(driver, "\(address) does not answer")
    }

    func testLinkLost_isNotDisconnectedOnceMore() {
        let driver = connected()
        driver.clear()
        set(driver, ["Connected": .boolean(false)])
        XCTAssertEqual(driver.takeCalls(), [], "the gateway may be connecting it again")
    }

    func testCopies_areShownOnce() {
        let driver = connected()
        driver.answerConversation()
        driver.clear()
        for value: UInt8 in [72, 72, 73] {
            driver.pass(1)
            for _ in 0..<2 {
                driver.tell {
                    $0.set(
                        "\(service)/c2", BlueZName.gattCharacteristic, ["Value": .bytes([value])])
                }
            }
        }
        XCTAssertEqual(
            says(driver), ["2a37 notified [72]", "2a37 notified [72]", "2a37 notified [73]"])
    }

    func testStop_whileLooking_endsTheSearch() {
        let driver = makeDriver()
        driver.clear()

        driver.handle(.stop)

        XCTAssertEqual(driver.takeCalls(ofAdapters: true), ["StopDiscovery hci0"])
    }

    private func assertEnds(
        _ driver: MachineDriver<InspectMachine>, _ message: String, line: UInt = #line
    ) {
        XCTAssertEqual(driver.ends.map { "\($0)" }, [message], line: line)
        driver.clear()
        driver.hearAgain()
        driver.pass(1_000)
        XCTAssertEqual(driver.takeCalls(ofAdapters: true), [], line: line)
    }

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

extension MachineDriver<InspectMachine> {
    fileprivate func hearAgain() {
        tell { $0.addDevice(1, strength: -60) }
    }
}
