import XCTest

@testable import Bluetooth

/// bluetoothd reads the battery itself (`Battery1`), and from 5.80 on shows its service, too.
final class GATTSessionBatteryTests: XCTestCase {
    private let readable = BlueZCharacteristic("c4", 0x180F, 0x2A19, ["read"])
    private let withoutBattery = BlueZCharacteristic.strap.filter { $0.uuid != .batteryLevel }

    func testOpen_whenBlueZKnowsTheBattery_reportsItAndDoesNotAskTheDevice() throws {
        var driver = try XCTUnwrap(GATTSessionDriver(battery: 90))

        XCTAssertEqual(driver.open(), ["battery 0.9", "read c1"])

        XCTAssertEqual(driver.answerAll(), ["read c1", "read c3", "subscribe to c2"])
    }

    func testOpen_whenOnlyBlueZKnowsTheBattery_reportsIt() throws {
        var driver = try XCTUnwrap(GATTSessionDriver(with: withoutBattery, battery: 55))

        XCTAssertEqual(driver.open(), ["battery 0.55", "read c1"])
    }

    func testBattery_whenBlueZTellsItLater_isTaken() throws {
        var driver = try XCTUnwrap(GATTSessionDriver(with: withoutBattery))
        _ = driver.open()

        XCTAssertEqual(driver.battery(40), ["battery 0.4"])
    }

    func testBattery_whenTheDeviceItselfTellsIt_isNotTakenTwice() throws {
        var driver = try XCTUnwrap(GATTSessionDriver())
        _ = driver.open()
        _ = driver.answerAll()

        XCTAssertEqual(driver.receive([40], from: "c4"), ["battery 0.4"])
        XCTAssertEqual(driver.battery(40), [])
    }

    func testBattery_whenTheDeviceOnlyLetsItBeRead_isTaken() throws {
        var driver = try XCTUnwrap(GATTSessionDriver(with: withoutBattery + [readable]))
        _ = driver.open()
        XCTAssertEqual(driver.answerAll(), ["read c1", "read c3", "read c4", "subscribe to c2"])

        XCTAssertEqual(driver.battery(40), ["battery 0.4"])
    }

    func testBattery_whenTheSubscriptionWasRefused_isTaken() throws {
        var driver = try XCTUnwrap(GATTSessionDriver())
        _ = driver.open()
        for _ in 0..<4 { _ = driver.answer() }
        _ = driver.answer(nil)

        XCTAssertEqual(driver.battery(40), ["battery 0.4"])
    }

    func testBattery_overAHundred_isDropped() throws {
        var driver = try XCTUnwrap(GATTSessionDriver(with: withoutBattery))
        _ = driver.open()

        XCTAssertEqual(driver.battery(101), ["dropped invalid 1"])
        XCTAssertEqual(driver.battery(255), ["dropped invalid 1"])
    }
}
