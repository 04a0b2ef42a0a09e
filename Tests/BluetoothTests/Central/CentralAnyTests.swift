import DBus
import GatewayCore
import XCTest

@testable import Bluetooth

/// `devices: "any"`: unknownPeople are welcome.
final class CentralAnyTests: XCTestCase {
    private func makeDriver(denied: Set<BluetoothAddress> = []) -> MachineDriver<CentralMachine> {
        .central(BluetoothSelection(devices: .any, denied: denied))
    }

    func testUnknownDevice_withTheService_isConnected() {
        let driver = makeDriver()

        driver.makeLive(7)

        XCTAssertEqual(driver.state(7), .live)
    }

    func testUnknownDevice_withoutTheService_isNotConnected() {
        let driver = makeDriver()

        driver.feed { $0.addDevice(7, strength: -60, services: [0x1816]) }
        driver.feed { $0.addDevice(8, strength: -60, services: []) }

        XCTAssertEqual(driver.removeCalls(), [])
        XCTAssertEqual(driver.outputWords(), [])
        XCTAssertEqual(driver.machine.links.count, 0)
    }

    func testUnknownDevice_whoseServicesAreReportedLater_isConnected() {
        let driver = makeDriver()
        driver.feed { $0.addDevice(7, strength: -60, services: []) }

        driver.feed {
            $0.set(
                Daemon.device(7), BlueZName.device,
                ["UUIDs": .array([.string("180d")], of: "s")])
        }

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/07"])
    }

    func testDenied_isNotConnected() {
        let driver = makeDriver(denied: [.ending(7)])

        driver.advertise(7)

        XCTAssertEqual(driver.removeCalls(), [])
        XCTAssertNil(driver.state(7))
    }

    func testDevicesOverTheLimit_areAProblem_untilTheyAreGone() {
        let driver = makeDriver()
        for number in UInt8(1)...64 { driver.makeLive(number) }
        driver.clear()
        func problem(_ count: Int) -> String {
            "problem: a source reads at most 64 devices with `devices: \"any\"`, and \(count) more "
                + "are in range"
        }

        driver.advertise(65)
        XCTAssertEqual(driver.outputWords(), [problem(1)])
        driver.advertise(65, strength: -50)
        XCTAssertEqual(driver.outputWords(), [])
        driver.advertise(66)
        XCTAssertEqual(driver.outputWords(), [problem(2)])
        driver.feed { $0.remove(Daemon.device(65), BlueZName.device) }
        XCTAssertEqual(driver.outputWords(), [problem(1)])
        driver.feed { $0.remove(Daemon.device(66), BlueZName.device) }
        XCTAssertEqual(driver.outputWords(), ["no problem"])
    }

    func testDeviceOverTheLimit_thatIsReadWhenThereIsRoom_isNoProblemAnyMore() {
        let driver = makeDriver()
        for number in UInt8(1)...64 { driver.makeLive(number) }
        driver.advertise(65)
        driver.setConnected(1, to: false)
        driver.feed { $0.remove(Daemon.device(1), BlueZName.device) }
        driver.clear()

        driver.advertise(65, strength: -50)

        XCTAssertTrue(driver.outputWords().contains("no problem"))
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/41"])
    }

    func testNamedDevices_endTheProblem() {
        let driver = makeDriver()
        for number in UInt8(1)...64 { driver.makeLive(number) }
        driver.advertise(65)
        driver.clear()

        driver.apply(.select(BluetoothSelection(devices: .named([.ending(1)]))))

        XCTAssertTrue(driver.outputWords().contains("no problem"))
    }

    func testMoreObjectsThanAreUsed_areAProblem() {
        let driver = MachineDriver.central(BluetoothSelection(devices: .any)) { daemon in
            for number in 0...ManagedObjects.objectLimit {
                _ = daemon.add("/org/bluez/hci0/dev_\(number)", BlueZName.device, [:])
            }
            return []
        }
        XCTAssertEqual(
            driver.outputWords().last,
            "problem: bluetoothd has more objects than are used; ignored: 2")
    }

    func testLimit_isRespected() {
        let driver = makeDriver()
        for number in UInt8(1)...70 { driver.makeLive(number) }

        XCTAssertEqual(driver.machine.links.count, CentralMachine.linkLimit)
        XCTAssertEqual(driver.state(64), .live)
        XCTAssertNil(driver.state(65))

        driver.feed { $0.remove(Daemon.device(1), BlueZName.device) }
        driver.advertise(71)
        XCTAssertEqual(driver.state(71), .connecting)
    }

    /// A stranger that was switched off makes room while bluetoothd still remembers it.
    func testSixtyFifth_getsATurnWhenAnEarlierOneHasGone() {
        let driver = makeDriver()
        for number in UInt8(1)...64 { driver.makeLive(number) }
        driver.advertise(65)
        XCTAssertNil(driver.state(65))

        driver.setConnected(3, to: false)
        driver.advertise(65, strength: -50)

        XCTAssertEqual(driver.state(65), .connecting)
        XCTAssertNil(driver.state(3))
        XCTAssertEqual(driver.machine.links.count, CentralMachine.linkLimit)
    }

    func testSixtyFifth_getsATurnWhenSixtyFourCannotBeConnected() {
        let driver = makeDriver()
        for number in UInt8(1)...64 {
            driver.advertise(number)
            driver.feed { $0.set(Daemon.device(number), BlueZName.device, [:], gone: ["RSSI"]) }
        }
        for _ in 0..<5_000 where driver.state(65) != .connecting {
            if let index = driver.open.indices.first {
                driver.answer(at: index, .failure(.failed("le-connection-refused")))
            }
            driver.advertise(65, strength: -50)
            driver.pass(0.3)
        }

        XCTAssertEqual(driver.state(65), .connecting)
    }

    /// Random addresses: bluetoothd remembers the old ones, and attempts keep their links busy.
    func testSixtyFifth_getsATurnWhenAnotherWasNotSeenForAMinute() {
        let driver = makeDriver()
        for number in UInt8(1)...64 { driver.advertise(number) }
        driver.advertise(65)
        XCTAssertNil(driver.state(65))
        driver.pass(59)
        for number in UInt8(2)...64 { driver.advertise(number, strength: -50) }
        XCTAssertNil(driver.state(65))
        driver.clear()

        driver.pass(10)
        while driver.machine.links[.ending(1)]?.isLinked == true { driver.pass(1) }
        driver.advertise(65, strength: -50)

        XCTAssertNotNil(driver.state(65))
        XCTAssertNil(driver.state(1))
        let words = driver.outputWords()
        XCTAssertTrue(words.contains("01 forgotten"), "\(words)")
        XCTAssertTrue(words.contains("replaced 1"))
        XCTAssertTrue(words.contains("no problem"))
    }

    func testDeviceOverTheLimit_thatHasGone_isNoProblemAnyMore() {
        let driver = makeDriver()
        for number in UInt8(1)...64 { driver.makeLive(number) }
        driver.advertise(65)
        driver.clear()
        for _ in 0..<61 {
            driver.pass(1)
            for number in UInt8(1)...64 { driver.notify(number, [61]) }
        }
        XCTAssertTrue(driver.outputWords().contains("no problem"))
    }

    func testGone_leavesNothingBehind() {
        let driver = makeDriver()
        driver.makeLive(7)
        driver.clear()

        driver.feed { $0.remove(Daemon.device(7), BlueZName.device) }

        XCTAssertEqual(
            driver.outputWords(),
            ["07 closed: no longer in range", "07 wanted: no longer in range", "07 forgotten"])
        assertEmpty(driver)
    }

    func testGone_withTheDaemon_leavesNothingBehind() {
        let driver = makeDriver()
        driver.makeLive(7)
        driver.advertise(8)

        driver.clear()
        driver.loseDaemon()

        let words = driver.outputWords()
        XCTAssertTrue(words.contains("07 forgotten") && words.contains("08 forgotten"), "\(words)")
        assertEmpty(driver)
    }

    func testGone_whileItsPauseLasts_isForgottenAfterIt() {
        let driver = makeDriver()
        driver.advertise(7)
        driver.answer("Connect hci0/07", .failed("le-connection-refused"))
        driver.feed { $0.remove(Daemon.device(7), BlueZName.device) }
        XCTAssertEqual(driver.machine.links.count, 1)

        driver.pass(0.25)

        assertEmpty(driver)
    }

    /// An object that comes and goes must not make the gateway try without a pause.
    func testFailing_whileItsObjectComesAndGoes_isTriedNotMuchMoreThanOnceASecond() {
        let driver = makeDriver()
        var attempts = 0
        for _ in 0..<600 {
            driver.advertise(7)
            driver.pass(0.05)
            if driver.open.contains(where: { $0.words == "Connect hci0/07" }) {
                attempts += 1
                driver.answer("Connect hci0/07", .failed("le-connection-refused"))
                driver.feed { $0.remove(Daemon.device(7), BlueZName.device) }
            }
            driver.pass(0.05)
        }
        XCTAssertLessThanOrEqual(attempts, 65, "a minute, and the first four follow sooner")
    }

    func testLateAnswer_toAnEarlierLinkOfTheSameUnknownDevice_isIgnored() {
        let driver = makeDriver()
        driver.advertise(7)
        driver.feed { $0.remove(Daemon.device(7), BlueZName.device) }
        driver.advertise(7)
        XCTAssertEqual(driver.open.map(\.words), ["Connect hci0/07", "Connect hci0/07"])

        driver.answer("Connect hci0/07", .unknownObject)

        XCTAssertEqual(driver.state(7), .connecting)
    }

    func testSeveralUnknownDevices_areConnectedOneAfterTheOther() {
        let driver = makeDriver()
        for number in UInt8(1)...3 { driver.advertise(number) }
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])

        driver.answer("Connect hci0/01")
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"])
        driver.answer("Connect hci0/02")
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/03"])
    }

    private func assertEmpty(_ driver: MachineDriver<CentralMachine>, line: UInt = #line) {
        XCTAssertEqual(driver.machine.links.count, 0, line: line)
        XCTAssertEqual(driver.machine.paths, [:], line: line)
        XCTAssertEqual(driver.machine.linkPaths, [:], line: line)
        XCTAssertEqual(driver.machine.owners, [:], line: line)
    }
}
