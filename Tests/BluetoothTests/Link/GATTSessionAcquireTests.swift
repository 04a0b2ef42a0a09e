import DBus
import Platform
import Readings
import XCTest

@testable import Bluetooth

/// Notifications that bluetoothd sends over a socket of their own.
final class GATTSessionAcquireTests: XCTestCase {
    private static let pulse = BluetoothUUID(0x2A37)

    private func makeDriver(
        canBeAcquired: Bool = true, flags: Set<String> = ["notify"]
    ) throws -> GATTSessionDriver {
        var measurement = BlueZCharacteristic("c2", 0x180D, 0x2A37, flags)
        measurement.canBeAcquired = canBeAcquired
        var driver = try XCTUnwrap(
            GATTSessionDriver(with: [measurement], acquired: [Self.pulse]))
        _ = driver.open()
        return driver
    }

    func testOpen_acquires() throws {
        var driver = try makeDriver()
        XCTAssertEqual(driver.answerAll(), ["acquire the notifications of c2"])
        XCTAssertTrue(driver.session.isSubscribed)
    }

    func testOpen_whenBluetoothdOffersNoSocket_subscribes() throws {
        var driver = try makeDriver(canBeAcquired: false)
        XCTAssertEqual(driver.answerAll(), ["subscribe to c2"])
    }

    func testRefusal_subscribesOverTheBus() throws {
        var driver = try makeDriver()
        XCTAssertEqual(driver.refuseToLetAcquire(), ["subscribe to c2"])
        XCTAssertFalse(driver.session.isSubscribed)
        XCTAssertEqual(driver.answerAll(), ["subscribe to c2"])
        XCTAssertTrue(driver.session.isSubscribed)
    }

    func testFailure_isNoSubscription() throws {
        var driver = try makeDriver()
        _ = driver.answer(nil)
        XCTAssertTrue(driver.session.isReady)
        XCTAssertFalse(driver.session.isSubscribed)
    }

    /// Nobody else can have subscribed, so equal values are two measurements.
    func testEqualValuesAtOnce_areNoCopies() throws {
        var driver = try makeDriver()
        _ = driver.answerAll()
        let values = (0..<3).map { _ in driver.receive([70], from: "c2") }
        XCTAssertEqual(Set(values.map(\.count)), [1])
        XCTAssertFalse(values.flatMap { $0 }.contains { $0.contains("drop") }, "\(values)")
    }

    /// The answer to a read comes over the bus only.
    func testValueDuringARead_isAMeasurement() throws {
        for canBeAcquired in [true, false] {
            var driver = try makeDriver(canBeAcquired: canBeAcquired, flags: ["notify", "read"])
            _ = driver.answerAll()
            XCTAssertNotNil(driver.probe())
            XCTAssertEqual(driver.question, .read("c2"))
            XCTAssertEqual(driver.receive([70], from: "c2").count, canBeAcquired ? 1 : 0)
        }
    }

    /// Another program can end the socket; usually the link ends in a moment.
    func testSocketEnded_subscribesOverTheBusAfterAPause() throws {
        var driver = try makeDriver()
        _ = driver.answerAll()
        XCTAssertEqual(driver.release("c2", thenPass: 0.9), [])
        XCTAssertEqual(driver.release("c2", thenPass: 0.1), ["subscribe to c2"])
        XCTAssertEqual(driver.answerAll(), ["subscribe to c2"])
        XCTAssertTrue(driver.session.isSubscribed)
        // Now another program may cause copies.
        _ = driver.receive([70], from: "c2")
        XCTAssertTrue(driver.receive([70], from: "c2").contains { $0.contains("drop") })
    }

    func testRenewal_acquiresAgain() throws {
        var driver = try makeDriver()
        _ = driver.answerAll()
        _ = driver.renew()
        XCTAssertEqual(
            driver.answerAll(), ["unsubscribe from c2", "acquire the notifications of c2"])
    }

    /// bluetoothd does not answer when the device refuses, and the reason is known only from the bus.
    func testUnanswered_theNextLinkSubscribesOverTheBus_andKnowsTheReason() {
        var policy = LinkPolicy()
        policy.acquired = .all
        let driver = LinkDriver(policy: policy)
        var measurement = BlueZCharacteristic("c2", 0x180D, 0x2A37, ["notify"])
        measurement.canBeAcquired = true
        func subscribe() -> GATTSession.Operation? {
            _ = driver.seen()
            _ = driver.turn()
            _ = driver.connectAnswered()
            _ = driver.resolved([measurement])
            return driver.question
        }
        XCTAssertEqual(subscribe(), .acquire("c2"))
        XCTAssertTrue(driver.refuse(.timedOut).contains("closed: no answer to the subscription"))
        _ = driver.disconnectAnswered()
        _ = driver.pass(60)
        XCTAssertEqual(subscribe(), .subscribe("c2"))
        let words = driver.refuse(.bluez("NotPermitted", "Not paired"))
        XCTAssertTrue(words.contains { $0.contains("needs pairing") }, "\(words)")
    }
}
