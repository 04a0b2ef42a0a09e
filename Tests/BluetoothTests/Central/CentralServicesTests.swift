import DBus
import GatewayCore
import XCTest

@testable import Bluetooth

final class CentralServicesTests: XCTestCase {
    private let characteristic = "\(Daemon.device(1))/service180d/c2"

    private func connected() -> MachineDriver<CentralMachine> {
        let driver = MachineDriver.central(1)
        driver.advertise(1)
        driver.answer("Connect hci0/01")
        driver.setConnected(1, to: true)
        driver.clear()
        return driver
    }

    func testNotification_goesToTheLinkOfItsDevice() {
        let driver = MachineDriver.central(1, 2)
        driver.makeLive(1)
        driver.makeLive(2)
        driver.clear()

        driver.notify(2, [80])
        driver.notify(1, [70])

        XCTAssertEqual(driver.outputWords(), ["02 pulse 80", "01 pulse 70"])
    }

    func testNotification_afterTheLinkIsLost_isIgnored() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.setConnected(1, to: false)
        driver.clear()

        driver.notify(1, [70])

        XCTAssertEqual(driver.outputWords(), [])
        XCTAssertEqual(driver.machine.owners, [:])
        XCTAssertEqual(driver.machine.linkPaths, [:])
    }

    func testChange_withoutAValueOfBytes_isIgnored() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.clear()

        for properties: [String: BusValue] in [
            ["Notifying": .boolean(true)], ["Value": .string("x")], [:],
        ] {
            driver.feed { $0.set(characteristic, BlueZName.gattCharacteristic, properties) }
        }

        XCTAssertEqual(driver.outputWords(), [])
    }

    /// After some failures BlueZ reports services as resolved before their objects exist.
    func testServices_thatComeOneByOneAfterTheyAreReportedToBeThere_areAllTaken() {
        let driver = connected()
        driver.feed {
            $0.set(
                Daemon.device(1), BlueZName.device, ["ServicesResolved": .boolean(true)])
        }
        var late = Daemon()
        for change in late.addServices(of: 1) {
            guard case .added(let path, let interface) = change,
                let properties = late.tree.properties(path, interface)
            else { continue }
            driver.feed { $0.add(path, interface, properties) }
            driver.advertise(1, strength: -60)
        }
        XCTAssertEqual(driver.removeCalls(), [])

        driver.pass(1)

        XCTAssertEqual(driver.removeCalls(), ["ReadValue hci0/01/service180a/c1"])
        driver.answerSession()
        XCTAssertEqual(driver.state(1), .live)
        XCTAssertEqual(
            driver.removeCalls().suffix(2),
            ["StartNotify hci0/01/service180d/c2", "StartNotify hci0/01/service180f/c4"])
    }

    func testServices_thatNeverCome_areMissing() {
        let driver = connected()
        driver.feed {
            $0.set(
                Daemon.device(1), BlueZName.device, ["ServicesResolved": .boolean(true)])
        }

        driver.pass(1)

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
        XCTAssertEqual(driver.outputWords(), ["01 backOff: required service not found: pulse"])
    }

    func testBattery_ofTheDaemon_isTakenAtTheBeginningAndLater() {
        let driver = connected()
        driver.feed { $0.add(Daemon.device(1), BlueZName.battery, ["Percentage": .byte(90)]) }
        driver.resolve(1)
        driver.answerSession()
        XCTAssertTrue(driver.outputWords().contains("01 battery 0.9"))
        XCTAssertFalse(driver.removeCalls().contains { $0.hasSuffix("c4") })

        driver.feed { $0.set(Daemon.device(1), BlueZName.battery, ["Percentage": .byte(89)]) }

        XCTAssertEqual(driver.outputWords(), ["01 battery 0.89", "01 live"])
    }

    func testBattery_ofAnUnknownDevice_isIgnored() {
        let driver = MachineDriver.central(1)
        driver.feed { $0.addDevice(2, strength: -60, isConnected: true) }

        driver.feed { $0.add(Daemon.device(2), BlueZName.battery, ["Percentage": .byte(90)]) }
        driver.feed { $0.add("/org/bluez/hci0", BlueZName.battery, ["Percentage": .byte(90)]) }

        XCTAssertEqual(driver.outputWords(), [])
    }

    private func driverThatLacksServices(
        isPaired: Bool, adapters: Int = 1, on adapter: Int = 0
    ) -> [String] {
        let driver = MachineDriver.central(1, adapters: adapters)
        for number in 0..<adapters {
            driver.feed { $0.addDevice(1, on: number, isPaired: isPaired) }
        }
        for _ in 0..<3 {
            driver.advertise(1, on: adapter)
            driver.setConnected(1, on: adapter, to: true)
            driver.answer("Connect hci\(adapter)/01")
            driver.feed {
                $0.set(
                    Daemon.device(1, on: adapter), BlueZName.device,
                    ["ServicesResolved": .boolean(true)], gone: ["RSSI"])
            }
            driver.pass(1)
            driver.answer("Disconnect hci\(adapter)/01")
            driver.setConnected(1, on: adapter, to: false)
            driver.pass(2)
        }
        return driver.removeCalls(ofAdapters: true).filter { $0.hasPrefix("Remove") }
    }

    func testMissingService_threeTimes_removesTheDevice() {
        XCTAssertEqual(driverThatLacksServices(isPaired: false), ["RemoveDevice hci0"])
    }

    /// Its bond would go with it.
    func testMissingService_ofAPairedDevice_removesNothingEver() {
        XCTAssertEqual(driverThatLacksServices(isPaired: true), [])
    }

    func testMissingService_withSeveralAdapters_removesTheObjectThatWasUsed() {
        XCTAssertEqual(
            driverThatLacksServices(isPaired: false, adapters: 3, on: 2), ["RemoveDevice hci2"])
    }

    func testMissingService_whenTheObjectComesAndGoes_waitsOutItsPause() {
        let driver = MachineDriver.central(1)
        for round in 1...5 {
            driver.advertise(1)
            driver.setConnected(1, to: true)
            driver.answer("Connect hci0/01")
            driver.feed {
                $0.set(
                    Daemon.device(1), BlueZName.device, ["ServicesResolved": .boolean(true)])
            }
            driver.pass(1)
            driver.answer("Disconnect hci0/01")
            driver.setConnected(1, to: false)
            driver.feed { $0.remove(Daemon.device(1), BlueZName.device) }
            if round < 5 { driver.pass(0.25) }
        }
        driver.clear()

        driver.advertise(1)
        driver.pass(0.7)

        XCTAssertEqual(driver.state(1), .backOff(isSeen: true, endsWhenSeen: false))
        XCTAssertEqual(driver.removeCalls(), [])
        driver.pass(0.3)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testAddress_whenPairingChangesIt_isTheOldDeviceGoneAndANewOneThere() {
        let driver = MachineDriver.central(1, 2)
        driver.makeLive(1)
        driver.clear()

        driver.feed {
            $0.set(
                Daemon.device(1), BlueZName.device,
                ["Address": .string("\(BluetoothAddress.ending(2))")])
        }
        driver.answerSession()

        XCTAssertEqual(driver.state(1), .wanted(isSeen: false))
        XCTAssertEqual(driver.state(2), .live)
        driver.setConnected(1, to: false)
        XCTAssertEqual(driver.state(2), .wanted(isSeen: false))
    }
}
