import GatewayCore
import XCTest

@testable import Bluetooth

/// Other devices are wanted while links are there.
final class CentralSelectionTests: XCTestCase {
    private typealias Driver = MachineDriver<CentralMachine>

    private func named(_ numbers: UInt8...) -> BluetoothSelection {
        BluetoothSelection(devices: .named(Set(numbers.map { .ending($0) })))
    }

    /// The devices released since the last call.
    private func forgotten(_ driver: Driver) -> [BluetoothAddress] {
        driver.removeOutputs().compactMap { output in
            if case .report(let address, .forgotten) = output { address } else { nil }
        }
    }

    func testAddedDevice_isConnected_andTheOthersKeepTheirLinks() {
        let driver = Driver.central(1)
        driver.makeLive(1)
        driver.advertise(2)
        driver.clear()

        driver.apply(.select(named(1, 2)))

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"])
        XCTAssertEqual(driver.machine.links[.ending(1)]?.state, .live)
        XCTAssertEqual(forgotten(driver), [])
    }

    func testRemovedDevice_isReleased_andTheOthersKeepTheirLinks() {
        let driver = Driver.central(1, 2)
        driver.makeLive(1)
        driver.makeLive(2)
        driver.clear()

        driver.apply(.select(named(2)))

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
        XCTAssertEqual(driver.machine.links.keys.sorted(), [.ending(2)])
        XCTAssertEqual(driver.machine.links[.ending(2)]?.state, .live)
        XCTAssertEqual(forgotten(driver), [.ending(1)])
        // Its further changes and its removal are ignored.
        driver.answer("Disconnect hci0/01")
        driver.setConnected(1, to: false)
        driver.advertise(1)
        XCTAssertEqual(driver.removeCalls(), [])
    }

    func testDeviceThatIsDenied_isReleased_alsoWhereAnyIsWelcome() {
        let driver = Driver.central(BluetoothSelection(devices: .any))
        driver.makeLive(1)
        driver.clear()

        driver.apply(.select(BluetoothSelection(devices: .any, denied: [.ending(1)])))

        XCTAssertEqual(driver.removeCalls(), ["Disconnect hci0/01"])
        XCTAssertEqual(forgotten(driver), [.ending(1)])
    }

    func testRemovedAndAddedAgain_isConnectedAgain() {
        let driver = Driver.central(1)
        driver.makeLive(1)
        driver.apply(.select(named(2)))
        driver.answer("Disconnect hci0/01")
        driver.setConnected(1, to: false)
        driver.clear()

        driver.apply(.select(named(1, 2)))
        driver.advertise(1)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/01"])
    }

    func testSameSelection_changesNothing() {
        let driver = Driver.central(1)
        driver.makeLive(1)
        driver.clear()

        driver.apply(.select(named(1)))

        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])
        XCTAssertTrue(driver.removeOutputs().isEmpty)
    }

    func testWithoutBluetoothd_theNextOneFindsTheNewSelection() {
        let driver = Driver.central(1)
        driver.loseDaemon()
        driver.apply(.select(named(2)))
        driver.clear()

        driver.feed { $0.addAdapter(0) }
        driver.start()
        driver.advertise(1)
        driver.advertise(2)

        XCTAssertEqual(driver.removeCalls(), ["Connect hci0/02"])
    }
}
