import DBus
import XCTest

@testable import Bluetooth

final class CentralAdaptersTests: XCTestCase {
    private func setPowered(
        _ driver: MachineDriver<CentralMachine>, _ adapter: Int, to isPowered: Bool
    ) {
        driver.feed {
            $0.set(
                Daemon.adapter(adapter), BlueZName.adapter, ["Powered": .boolean(isPowered)])
        }
    }

    func testOff_loseEveryLinkOfIt() {
        let driver = MachineDriver.central(1, 2, 3, 4)
        driver.makeLive(1)
        driver.advertise(2)
        driver.advertise(3)
        driver.clear()

        setPowered(driver, 0, to: false)

        let general = "Bluetooth adapter hci0 is powered off"
        XCTAssertEqual(
            driver.outputWords().sorted(),
            [
                "01 closed: adapter hci0 is powered off", "01 wanted: \(general)",
                "01 wanted: adapter hci0 is powered off", "02 wanted: \(general)",
                "02 wanted: adapter hci0 is powered off", "03 wanted: \(general)",
                "03 wanted: adapter hci0 is powered off", "04 wanted: \(general)",
                "problem: \(general)",
            ])
        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])
        for number in UInt8(1)...4 {
            XCTAssertEqual(driver.state(number), .wanted(isSeen: false), "\(number)")
        }
    }

    func testOnAgain_looksAndConnectsAgain() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.pass(5)
        setPowered(driver, 0, to: false)
        driver.setConnected(1, to: false)
        driver.clear()

        setPowered(driver, 0, to: true)

        XCTAssertEqual(driver.outputWords(), ["no problem", "01 wanted: not seen yet"])
        XCTAssertEqual(
            driver.takeAdapterCalls(), ["SetDiscoveryFilter hci0", "StartDiscovery hci0"])
        driver.advertise(1, strength: -50)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testOtherChanges_ofAnAdapter_areNotReported() {
        let driver = MachineDriver.central(1)

        for isDiscovering in [true, false, true] {
            driver.feed {
                $0.set(
                    Daemon.adapter(0), BlueZName.adapter,
                    ["Discovering": .boolean(isDiscovering)])
            }
        }

        XCTAssertEqual(driver.outputWords(), [])
    }

    func testOff_whileAnotherAdapterReceivesTheDevice_connectsThere() {
        let driver = MachineDriver.central(1, adapters: 2)
        driver.advertise(1, on: 0, strength: -50)
        driver.advertise(1, on: 1, strength: -70)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
        driver.pass(2)

        setPowered(driver, 0, to: false)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/01"])
        XCTAssertFalse(driver.outputWords().contains { $0.hasPrefix("problem") })
    }

    func testBondedDevice_usesTheAdapterWithTheBond_howeverTheOthersReceiveIt() {
        let driver = MachineDriver.central(1, adapters: 2)
        driver.feed { $0.addDevice(1, on: 1, isPaired: true) }
        driver.advertise(1, on: 0, strength: -40)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/01"])
    }

    func testBond_ofAnAdapterThatIsOff_doesNotCount() {
        let driver = MachineDriver.central(1, adapters: 2)
        setPowered(driver, 1, to: false)
        driver.feed { $0.addDevice(1, on: 1, isPaired: true) }
        driver.advertise(1, on: 0, strength: -40)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testUnpaired_onOneAdapter_triesTheOther() {
        let driver = MachineDriver.central(1, adapters: 2)
        driver.advertise(1, on: 0, strength: -50)
        driver.advertise(1, on: 1, strength: -52)
        driver.setConnected(1, to: true)
        driver.answer("Connect hci0/01")
        driver.resolve(1)
        while let index = driver.open.firstIndex(where: {
            $0.call.interface == BlueZName.gattCharacteristic
        }) {
            let error = BusError.remote(name: "org.bluez.Error.NotAuthorized", message: "")
            driver.answer(at: index, .failure(error))
        }
        driver.answer("Disconnect hci0/01")
        driver.setConnected(1, to: false)
        driver.clear()

        driver.pass(80)
        driver.advertise(1, on: 0, strength: -50)
        driver.advertise(1, on: 1, strength: -52)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/01"])
    }

    func testUnplugged_andBackUnderAnotherName_connectsAgain() {
        let driver = MachineDriver.central(1)
        driver.makeLive(1)
        driver.pass(10)
        driver.clear()

        driver.feed { $0.remove(Daemon.adapter(0), BlueZName.adapter) }
        driver.feed { $0.remove(Daemon.device(1), BlueZName.device) }
        XCTAssertEqual(
            driver.outputWords(),
            [
                "01 closed: adapter hci0 was removed", "01 wanted: adapter hci0 was removed",
                "problem: no Bluetooth adapter found", "01 wanted: no Bluetooth adapter found",
                "01 wanted: no longer in range",
            ])

        driver.feed { $0.addAdapter(1, address: "00:1A:7D:DA:71:00") }
        XCTAssertEqual(driver.outputWords(), ["no problem", "01 wanted: no longer in range"])
        driver.makeLive(1, on: 1)
        XCTAssertEqual(driver.state(1), .live)
    }

    /// Two adapters that know the device 1 before the start.
    private func started(
        _ add: (inout Daemon) -> [ManagedObjects.Change]
    ) -> MachineDriver<CentralMachine> {
        let driver = MachineDriver(
            CentralMachine(
                selection: BluetoothSelection(devices: .named([.ending(1)])),
                profiles: [PulseProfile()], policy: LinkPolicy()))
        driver.feed { $0.addAdapter(0) + $0.addAdapter(1) + add(&$0) }
        driver.start()
        return driver
    }

    func testTwoAdapters_theOneThatReceivesBestConnects() {
        for (first, second, best) in [(Int16(-50), Int16(-70), 0), (-70, -50, 1)] {
            let driver = started {
                $0.addDevice(1, on: 0, strength: first) + $0.addDevice(1, on: 1, strength: second)
            }
            XCTAssertEqual(driver.removeCalls(), ["Connect hci\(best)/01"])
        }
    }

    func testTwoAdapters_whereOneIsConnectedAlready_itsLinkIsTaken() {
        for connected in 0...1 {
            let driver = started {
                $0.addDevice(1, on: connected, isConnected: true)
                    + $0.addDevice(1, on: 1 - connected, strength: -40)
            }
            XCTAssertEqual(driver.removeCalls(), [])
            XCTAssertEqual(driver.state(1), .resolving)
            XCTAssertEqual(
                driver.machine.linkPaths[.ending(1)], Daemon.device(1, on: connected))
        }
    }

    func testTwoAdapters_whenOneIsBusy_theOtherConnects() {
        let driver = MachineDriver.central(1, 2, adapters: 2)
        driver.advertise(1, on: 0)
        driver.advertise(2, on: 0)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])

        driver.advertise(2, on: 1, strength: -90)
        XCTAssertEqual(driver.removeCalls(), [], "it receives the device too badly")

        driver.advertise(2, on: 1, strength: -75)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/02"])
    }

    func testTwoAdapters_whenTheBusyOneReceivesAndTheOtherOnlyRemembers_waits() {
        let driver = MachineDriver.central(1, 2, adapters: 2)
        driver.feed { $0.addDevice(2, on: 1) }
        driver.advertise(1, on: 0)
        driver.advertise(2, on: 0)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])

        driver.setConnected(1, to: true)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"])
    }

    /// A broken adapter must not keep a device from another one that would do.
    func testTwoAdapters_afterAFailureOfTheBest_theOtherTries() {
        let driver = MachineDriver.central(1, adapters: 2)
        driver.advertise(1, on: 0, strength: -50)
        driver.advertise(1, on: 1, strength: -70)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])

        driver.answer("Connect hci0/01", .failed("le-connection-timeout"))
        driver.advertise(1, on: 0, strength: -50)
        driver.advertise(1, on: 1, strength: -70)
        driver.pass(1)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/01"])
        driver.answer("Connect hci1/01", .failed("le-connection-timeout"))
        driver.advertise(1, on: 0, strength: -50)
        driver.pass(1)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testTwoAdapters_afterADisturbance_theBestTriesAgain() {
        let driver = MachineDriver.central(1, adapters: 2)
        driver.advertise(1, on: 0, strength: -50)
        driver.advertise(1, on: 1, strength: -90)
        driver.clear()

        driver.answer("Connect hci0/01", .failed("le-connection-abort-by-local"))
        driver.pass(0.25)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testObjectGone_fromTheAdapterThatWasUsed_connectsWhereItIsStillSeen() {
        let driver = MachineDriver.central(1, adapters: 2)
        driver.advertise(1, on: 0, strength: -50)
        driver.advertise(1, on: 1, strength: -70)
        driver.pass(2)
        driver.clear()

        driver.feed { $0.remove(Daemon.device(1, on: 0), BlueZName.device) }

        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/01"])
    }

    func testObjectGone_fromAnotherAdapter_changesNothing() {
        let driver = MachineDriver.central(1, adapters: 2)
        driver.makeLive(1)
        driver.advertise(1, on: 1)
        driver.clear()

        driver.feed { $0.remove(Daemon.device(1, on: 1), BlueZName.device) }

        XCTAssertEqual(driver.outputWords(), [])
        XCTAssertEqual(driver.state(1), .live)
    }

    func testNamedAdapter_isTheOnlyOneThatIsUsed() {
        let driver = MachineDriver.central(
            BluetoothSelection(devices: .named([.ending(1)]), adapter: "hci1"), adapters: 2)
        driver.advertise(1, on: 0)
        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])

        driver.advertise(1, on: 1)
        XCTAssertEqual(driver.removeCalls(), ["Connect hci1/01"])

        driver.clear()
        driver.feed { $0.remove(Daemon.adapter(1), BlueZName.adapter) }
        XCTAssertTrue(driver.outputWords().contains("problem: Bluetooth adapter hci1 not found"))
    }

    func testOff_whileADeviceWaitsForItsTurn_isNotConnectedBlindly() {
        let driver = MachineDriver.central(1, 2)
        driver.advertise(1)
        driver.advertise(2)
        setPowered(driver, 0, to: false)
        driver.feed {
            $0.set(Daemon.device(2), BlueZName.device, [:], gone: ["RSSI"])
        }
        driver.pass(3_600)
        driver.clear()

        setPowered(driver, 0, to: true)

        XCTAssertEqual(driver.removeCalls(), [])
        XCTAssertEqual(driver.state(2), .wanted(isSeen: false))
    }
}
