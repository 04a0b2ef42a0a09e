import GatewayCore
import Platform
import XCTest

@testable import Bluetooth

/// Tests of the writes that profiles request, and of those that are repeated.
final class GATTSessionWritesTests: XCTestCase {
    private func makeDriver(
        _ profiles: [any GATTProfile] = [PulseProfile()],
        with characteristics: [BlueZCharacteristic] = BlueZCharacteristic.strap
    ) throws -> GATTSessionDriver {
        try XCTUnwrap(GATTSessionDriver(profiles, with: characteristics))
    }

    func testWrites_areCarriedOutWhereTheDeviceTakesThem() throws {
        for (characteristics, expected) in [
            (BlueZCharacteristic.strap + [.control], ["pulse 72", "write to c5"]),
            (BlueZCharacteristic.strap, ["pulse 72"]),
        ] {
            var driver = try makeDriver([PulseProfile.writing], with: characteristics)
            _ = driver.open()
            _ = driver.answerAll()
            XCTAssertEqual(driver.receive([72], from: "c2"), expected)
            XCTAssertEqual(driver.receive([73], from: "c2"), ["pulse 73"], "once a minute")
        }
    }

    /// A sensor that ends a measurement soon is asked again, and so is one that has rejected the request.
    func testPersistentWrites_areMadeAgainAMinuteLater() throws {
        var profile = PulseProfile.writing
        profile.writes = [GATTWrite([1], to: PulseProfile.control, isPersistent: true)]
        var driver = try makeDriver([profile], with: BlueZCharacteristic.strap + [.control])
        _ = driver.open()
        _ = driver.answerAll()
        XCTAssertEqual(driver.receive([72], from: "c2"), ["pulse 72", "write to c5"])
        XCTAssertEqual(driver.answer(), [])
        XCTAssertEqual(driver.pass(10), [])
        XCTAssertEqual(driver.receive([73], from: "c2"), ["pulse 73"])
        XCTAssertEqual(driver.receive([74], from: "c2"), ["pulse 74"])
        XCTAssertEqual(driver.pass(49), [])
        XCTAssertEqual(driver.pass(1), ["write to c5"])
        XCTAssertEqual(driver.answer(nil), ["dropped invalid 1"])
        XCTAssertEqual(driver.pass(59), [])
        XCTAssertEqual(driver.pass(1), ["write to c5"])
        XCTAssertEqual(driver.answer(), [])
        XCTAssertEqual(driver.pass(600), [])
    }

    func testPersistentWrites_endWithTheLink() throws {
        var recent = RecentWrites(pauseSeconds: 60)
        let write = GATTWrite([1], to: PulseProfile.control, isPersistent: true)
        let start = BootInstant(nanoseconds: 0)
        XCTAssertTrue(recent.admit(write, at: start))
        XCTAssertFalse(recent.admit(write, at: start.adding(seconds: 1)))
        XCTAssertEqual(recent.wakeTime, start.adding(seconds: 60))
        recent.forget()
        XCTAssertNil(recent.wakeTime)
        XCTAssertEqual(recent.takeDue(at: start.adding(seconds: 60)), [])
    }

    func testPersistentWrites_areNoMoreThanTheirNumber() throws {
        var recent = RecentWrites(pauseSeconds: 60)
        let start = BootInstant(nanoseconds: 0)
        let writes = (0..<100).map {
            GATTWrite([UInt8($0)], to: PulseProfile.control, isPersistent: true)
        }
        XCTAssertEqual(writes.filter { recent.admit($0, at: start) }.count, RecentWrites.limit)
        let later = recent.takeDue(at: start.adding(seconds: 60))
        XCTAssertEqual(later, Array(writes[16..<32]))
    }

    /// A request to a control point is answered by a notification.
    func testWrites_inResponseToARead_followTheSubscriptions() throws {
        var profile = PulseProfile.writing
        profile.reads = [PulseProfile.control]
        let control = BlueZCharacteristic("c5", 0x180D, 0x2A39, ["read", "write"])
        var driver = try makeDriver([profile], with: BlueZCharacteristic.strap + [control])
        _ = driver.open()

        XCTAssertEqual(
            driver.answerAll(),
            [
                "read c1", "read c5", "read c4", "subscribe to c2", "subscribe to c4",
                "write to c5",
            ])
    }

    func testWrites_whileSomethingIsAsked_waitForTheirTurn() throws {
        var driver = try makeDriver(
            [PulseProfile.writing], with: BlueZCharacteristic.strap + [.control])
        _ = driver.open()
        for _ in 0..<3 { _ = driver.answer() }

        XCTAssertEqual(driver.receive([72], from: "c2"), ["pulse 72"])
        XCTAssertEqual(driver.answerAll(), ["subscribe to c2", "subscribe to c4", "write to c5"])
    }
}
