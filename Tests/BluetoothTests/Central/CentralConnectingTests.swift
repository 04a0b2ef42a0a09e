import DBus
import XCTest

@testable import Bluetooth

final class CentralConnectingTests: XCTestCase {
    private let abort = BusError.failed("le-connection-abort-by-local")

    func testUnknownDevice_isNotConnectedAndNotReported() {
        let driver = MachineDriver.central(1)

        driver.advertise(2)
        driver.setConnected(2, to: true)
        driver.resolve(2)

        XCTAssertEqual(driver.removeCalls(), [])
        XCTAssertEqual(driver.outputWords(), [])
        XCTAssertNil(driver.state(2))
    }

    func testNamed_isConnectedWhenSeenWhateverItOffers() {
        let driver = MachineDriver.central(1)
        driver.feed { $0.addDevice(1, services: []) }
        XCTAssertEqual(driver.removeCalls(), [], "it is only remembered")

        driver.advertise(1)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
        XCTAssertEqual(driver.outputWords(), ["01 connecting"])
    }

    func testNamed_fromNothingToLive() {
        let driver = MachineDriver.central(1)
        driver.advertise(1)
        driver.setConnected(1, to: true)
        driver.answer("Connect hci0/01")
        driver.clear()

        driver.resolve(1)
        driver.answer("ReadValue hci0/01/service180a/c1", with: [.bytes(Array("Acme".utf8))])
        driver.answerSession()

        XCTAssertEqual(
            driver.removeCalls(),
            [
                "ReadValue hci0/01/service180a/c1", "ReadValue hci0/01/service180d/c3",
                "ReadValue hci0/01/service180f/c4", "StartNotify hci0/01/service180d/c2",
                "StartNotify hci0/01/service180f/c4",
            ])
        XCTAssertEqual(
            driver.outputWords(),
            [
                "01 opened Strap", "01 subscribing", "01 made by Acme", "01 contact true",
                "01 battery 0.01",
                "01 subscribing: waiting for the first value",
            ])
    }

    func testCalls_haveTheirArgumentsAndTimes() throws {
        var profile = PulseProfile()
        profile.writes = [GATTWrite([7], to: PulseProfile.measurement)]
        let driver = MachineDriver.central(1, profiles: [profile])
        driver.advertise(1)
        let connect = try XCTUnwrap(driver.open.first).call
        XCTAssertEqual(connect.interface, BlueZName.device)
        XCTAssertEqual(connect.body, [])
        XCTAssertEqual(connect.timeoutSeconds, 25, "the link's own deadline comes first")

        driver.answer("Connect hci0/01")
        driver.resolve(1)
        let read = try XCTUnwrap(driver.open.first).call
        XCTAssertEqual(read.interface, BlueZName.gattCharacteristic)
        XCTAssertEqual(read.body, [.properties([:])])
        XCTAssertEqual(read.timeoutSeconds, 5)
    }

    func testWrite_isARequest() throws {
        var profile = PulseProfile()
        profile.writes = [GATTWrite([7], to: PulseProfile.control)]
        let driver = MachineDriver.central(1, profiles: [profile])
        let control = "\(Daemon.device(1))/service180d/c5"
        driver.feed {
            $0.add(
                control, BlueZName.gattCharacteristic,
                [
                    "UUID": .string("2a39"), "Flags": .array([.string("write")], of: "s"),
                    "Service": .objectPath("\(Daemon.device(1))/service180d"),
                ])
        }
        driver.makeLive(1)
        driver.notify(1, [72])

        let write = try XCTUnwrap(driver.open.first).call
        XCTAssertEqual(write.path, control)
        XCTAssertEqual(write.member, "WriteValue")
        XCTAssertEqual(
            write.body, [.bytes([7]), .properties(["type": .string("request")])])
    }

    func testTwoStraps_areConnectedOneAfterTheOther() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.advertise(2)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])

        driver.setConnected(1, to: true)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"], "resolving needs no waiting")
    }

    func testTwoStraps_whenTheFirstFails_theSecondHasItsTurn() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.advertise(2)
        driver.clear()

        driver.answer("Connect hci0/01", abort)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"])
        driver.pass(1)
        XCTAssertEqual(driver.removeCalls(), [], "the adapter is busy with the second")
        driver.answer("Connect hci0/02", abort)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testTwoStraps_whileAnAttemptIsBeingEnded_theSecondWaits() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.advertise(2)
        driver.clear()

        driver.pass(6)
        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])

        driver.answer("Disconnect hci0/01")
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"])
    }

    /// A strap with a long past must not stand behind newcomers that fail again and again.
    func testTurns_goToTheOneWhoseLastAttemptIsLongestAgo() {
        let driver = MachineDriver.central(1, 2, 3)
        driver.advertise(1)
        for _ in 0..<5 {
            driver.answer("Connect hci0/01", abort)
            driver.pass(0.25)
        }
        driver.advertise(2)
        driver.answer("Connect hci0/01", abort)
        driver.advertise(3)
        driver.pass(0.5)
        driver.clear()

        driver.answer("Connect hci0/02", abort)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/03"], "it has not had a turn yet")
        driver.pass(0.5)
        driver.answer("Connect hci0/03", abort)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
        driver.pass(0.5)
        driver.answer("Connect hci0/01", abort)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"])
    }

    func testLateAnswer_ofAnEarlierAttempt_isIgnored() {
        let driver = MachineDriver.central(1)
        driver.advertise(1)
        driver.pass(20)
        driver.answer("Disconnect hci0/01")
        driver.advertise(1, strength: -61)
        driver.pass(1)
        XCTAssertEqual(driver.open.map(\.words), ["Connect hci0/01", "Connect hci0/01"])
        XCTAssertEqual(driver.state(1), .connecting)

        driver.answer("Connect hci0/01", .failed("br-connection-canceled"))
        XCTAssertEqual(driver.state(1), .connecting)
        driver.answer("Connect hci0/01")
        XCTAssertEqual(driver.state(1), .resolving)
    }

    func testConnectedByAnotherProgram_isTakenOver() {
        let driver = MachineDriver.central(1)
        driver.feed { $0.addDevice(1) }

        driver.setConnected(1, to: true)
        XCTAssertEqual(driver.state(1), .resolving)
        driver.resolve(1)
        driver.answerSession()

        XCTAssertEqual(driver.state(1), .live)
        XCTAssertFalse(driver.removeCalls().contains { $0.hasPrefix("Connect") })
    }

    func testConnectedAndResolvedBeforeTheStart_isTakenOver() {
        let driver = MachineDriver(
            CentralMachine(
                selection: BluetoothSelection(devices: .named([.ending(1)])),
                profiles: [PulseProfile()], policy: LinkPolicy()))
        driver.feed { $0.addAdapter(0) }
        driver.feed { $0.addDevice(1, isConnected: true) }
        driver.resolve(1)

        driver.start()
        driver.answerSession()

        XCTAssertEqual(driver.state(1), .live)
        XCTAssertFalse(driver.removeCalls().contains { $0.hasPrefix("Connect") })
    }

    func testLinkLost_isConnectedAgainWhenSeen() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.pass(5)
        driver.clear()

        driver.setConnected(1, to: false)
        XCTAssertEqual(
            driver.outputWords(), ["01 closed: link lost", "01 wanted: link lost"])
        XCTAssertEqual(driver.removeCalls(), [])

        driver.advertise(1, strength: -50)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testObjectRemoved_whileConnecting_isConnectedAgainWhenItIsBack() {
        let driver = MachineDriver.central(1)
        driver.advertise(1)
        driver.pass(3)

        driver.feed { $0.remove(Daemon.device(1), BlueZName.device) }
        XCTAssertEqual(driver.state(1), .wanted(isSeen: false))
        driver.clear()

        driver.advertise(1)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    /// Many devices cost what they advertise, not a check of all devices for each change.
    func testManyUnknownDevices_costNoMoreThanTheirChanges() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        let paths = (0..<5_000).map { "/org/bluez/hci0/dev_\($0)" }
        for path in paths {
            driver.feed {
                $0.add(
                    path, BlueZName.device,
                    [
                        "Address": .string("C0:00:00:00:00:01"),
                        "Adapter": .objectPath(Daemon.adapter(0)),
                    ])
            }
        }
        let start = ContinuousClock.now
        for path in paths {
            driver.feed { $0.set(path, BlueZName.device, ["RSSI": .int16(-70)]) }
            driver.feed {
                $0.add("\(path)/service1/char2", BlueZName.gattCharacteristic, [:])
            }
        }
        for path in paths { driver.feed { $0.remove(path, BlueZName.device) } }

        // Looking at all of them for each takes minutes.
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(10))
        XCTAssertEqual(driver.state(1), .live)
        XCTAssertEqual(driver.machine.links.count, 1)
    }
}
