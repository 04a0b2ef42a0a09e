import Bluetooth
import DBus
import GatewayCore
import XCTest

@testable import Peripheral

/// Tests of the state machine of a peripheral.
final class PeripheralMachineTests: XCTestCase {
    private var driver = PeripheralDriver()

    /// An offer that is registered with hci0.
    private func offered() -> PeripheralDriver {
        var driver = PeripheralDriver()
        driver.add("hci0")
        driver.handle(.available)
        driver.answer()
        driver.answer()
        _ = driver.removeCalls()
        _ = driver.removeEvents()
        return driver
    }

    func testOffer_isRegisteredServicesFirst_oneCallAtATime() {
        driver.add("hci0")
        driver.handle(.available)
        XCTAssertEqual(driver.removeCalls(), ["RegisterApplication hci0"])
        driver.answer()
        XCTAssertEqual(driver.removeCalls(), ["RegisterAdvertisement hci0"])
        XCTAssertEqual(driver.removeEvents(), [])
        driver.answer()
        XCTAssertEqual(driver.removeCalls(), [])
        XCTAssertEqual(driver.removeEvents(), ["offered hci0"])
        XCTAssertNil(driver.machine.wakeTime)
    }

    func testAdapter_isTheNamedOne() {
        driver = PeripheralDriver(adapter: "hci1")
        driver.handle(.available)
        driver.add("hci0")
        XCTAssertEqual(
            driver.removeEvents(), ["problem: Bluetooth adapter hci1 not found"])
        XCTAssertEqual(driver.removeCalls(), [])
        driver.add("hci1")
        XCTAssertEqual(driver.removeCalls(), ["RegisterApplication hci1"])
    }

    func testAdapter_thatCannotBeUsed_isNamedOnce() {
        driver.handle(.available)
        XCTAssertEqual(driver.removeEvents(), ["problem: no Bluetooth adapter found"])
        driver.add("hci0", isCapable: false)
        XCTAssertEqual(
            driver.removeEvents(), ["problem: Bluetooth adapter hci0 cannot be a peripheral"])
        driver.add("hci1", isPowered: false)
        XCTAssertEqual(
            driver.removeEvents(), ["problem: Bluetooth adapter hci1 is powered off"])
        driver.power("hci1", true)
        XCTAssertEqual(driver.removeCalls(), ["RegisterApplication hci1"])
        driver.answer()
        driver.answer()
        XCTAssertEqual(driver.removeEvents(), ["no problem", "offered hci1"])
    }

    func testPresentAdapter_isKept_whileItIsUsable() {
        var driver = PeripheralDriver()
        driver.add("hci1")
        driver.handle(.available)
        driver.answer()
        driver.answer()
        driver.add("hci0")
        XCTAssertEqual(
            driver.removeCalls(), ["RegisterApplication hci1", "RegisterAdvertisement hci1"])
        driver.power("hci1", false)
        // It must not come back there beside the other one.
        XCTAssertEqual(
            driver.removeCalls(),
            [
                "UnregisterAdvertisement hci1", "UnregisterApplication hci1",
                "RegisterApplication hci0",
            ])
    }

    func testAdapter_thatIsPulledOut_isNotCalled_andIsUsedAgain() {
        var driver = offered()
        driver.unplug("hci0")
        XCTAssertEqual(driver.removeCalls(), [])
        XCTAssertEqual(driver.removeEvents(), ["problem: no Bluetooth adapter found"])
        driver.add("hci0")
        driver.answer()
        driver.answer()
        XCTAssertEqual(driver.removeEvents(), ["no problem", "offered hci0"])
    }

    func testRefusals_areNamedOnce_andTriedAgainMoreAndMoreRarely() {
        driver.add("hci0")
        driver.handle(.available)
        driver.answer()
        _ = driver.removeCalls()
        var waits: [Double] = []
        for _ in 0..<12 {
            driver.answer(.remote(name: "org.bluez.Error.NotPermitted", message: "Maximum"))
            waits.append(driver.passToTimer())
        }
        XCTAssertEqual(
            driver.removeEvents(),
            ["problem: the Bluetooth adapter cannot send another advertisement"])
        XCTAssertEqual(Set(driver.removeCalls()), ["RegisterAdvertisement hci0"])
        XCTAssertTrue((0.75...1).contains(waits[0]), "\(waits)")
        XCTAssertTrue((45...60).contains(waits[11]), "\(waits)")
        driver.answer()
        XCTAssertEqual(driver.removeEvents(), ["no problem", "offered hci0"])
    }

    func testErrors_areNamed() {
        let errors: [(BusError, String)] = [
            (.timedOut, "bluetoothd does not answer"),
            (
                .remote(name: "org.bluez.Error.Failed", message: "No object received"),
                "bluetoothd refuses the services: No object received (org.bluez.Error.Failed)"
            ),
        ]
        for (error, words) in errors {
            var driver = PeripheralDriver()
            driver.add("hci0")
            driver.handle(.available)
            driver.answer(error)
            XCTAssertEqual(driver.removeEvents(), ["problem: \(words)"])
        }
    }

    func testWhatIsRegisteredAlready_isASuccess() {
        driver.add("hci0")
        driver.handle(.available)
        let error = BusError.remote(name: "org.bluez.Error.AlreadyExists", message: "")
        driver.answer(error)
        driver.answer(error)
        XCTAssertEqual(driver.removeEvents(), ["offered hci0"])
    }

    func testBluetoothd_thatWasGone_getsTheOfferAgain() {
        var driver = offered()
        driver.ask(
            BlueZName.gattCharacteristic, "StartNotify", at: "\(OfferedObjects.root)/service0/char0"
        )
        driver.handle(.unavailable(LinkError("bluetoothd is not running")))
        XCTAssertEqual(
            driver.removeEvents(),
            ["subscribed", "unsubscribed", "problem: bluetoothd is not running"])
        driver.set([0x06, 70])
        XCTAssertEqual(driver.emitted, [])
        driver.handle(.available)
        XCTAssertEqual(driver.removeCalls(), ["RegisterApplication hci0"])
    }

    /// The answer of a bluetoothd that was asked before the adapter was off.
    func testLateAnswer_isNotForTheNewRegistration() {
        driver.add("hci0")
        driver.handle(.available)
        let late = driver.open[0].request
        driver.power("hci0", false)
        driver.power("hci0", true)
        driver.handle(.finished(late, .success([])))
        XCTAssertEqual(
            driver.removeCalls(),
            [
                "RegisterApplication hci0", "UnregisterAdvertisement hci0",
                "UnregisterApplication hci0", "RegisterApplication hci0",
            ])
    }

    func testRelease_registersTheAdvertisementAgainLater() {
        var driver = offered()
        let path = OfferedObjects.advertisementPath
        XCTAssertEqual(
            driver.ask(OfferedObjects.advertisement, "Release", at: path), .values([]))
        XCTAssertEqual(
            driver.removeEvents(), ["problem: bluetoothd has ended the advertisement"])
        XCTAssertEqual(driver.removeCalls(), [])
        XCTAssertLessThanOrEqual(driver.passToTimer(), 1)
        XCTAssertEqual(driver.removeCalls(), ["RegisterAdvertisement hci0"])
        XCTAssertEqual(driver.ask(OfferedObjects.advertisement, "Steal", at: path), .unknown)
    }

    /// A controller that accepts an advertisement and ends it is asked more and more rarely.
    func testReleaseAgainAndAgain_isNoStorm() {
        var driver = offered()
        var waits: [Double] = []
        for _ in 0..<10 {
            driver.ask(
                OfferedObjects.advertisement, "Release", at: OfferedObjects.advertisementPath)
            waits.append(driver.passToTimer())
            driver.answer()
        }
        XCTAssertLessThanOrEqual(waits[0], 1)
        XCTAssertGreaterThanOrEqual(waits[9], 45)
        driver.pass(60)
        driver.ask(OfferedObjects.advertisement, "Release", at: OfferedObjects.advertisementPath)
        XCTAssertLessThanOrEqual(driver.passToTimer(), 1)
    }

    func testStop_callsNothing() {
        var driver = offered()
        driver.handle(.stop)
        driver.power("hci0", false)
        XCTAssertEqual(driver.removeCalls(), [])
    }
}
