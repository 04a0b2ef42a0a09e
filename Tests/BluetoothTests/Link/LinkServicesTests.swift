import DBus
import XCTest

@testable import Bluetooth

final class LinkServicesTests: XCTestCase {
    private let pulseOnly = [BlueZCharacteristic("c2", 0x180D, 0x2A37, ["notify"])]
    private let foreign = [BlueZCharacteristic("c9", 0x1816, 0x2A5B, ["notify"])]

    func testResolved_readsThenSubscribesThenIsLive() {
        let driver = LinkDriver.at(.resolving)

        XCTAssertEqual(driver.resolved(), ["opened Strap", "subscribing", "read c1"])
        XCTAssertEqual(driver.answer(Array("Acme".utf8)), ["made by Acme", "read c3"])
        XCTAssertEqual(driver.answer([1]), ["contact true", "read c4"])
        XCTAssertEqual(driver.answer([80]), ["battery 0.8", "subscribe to c2"])
        XCTAssertEqual(driver.answer([]), ["subscribe to c4"])
        XCTAssertEqual(driver.answer([]), ["subscribing: waiting for the first value"])
        XCTAssertEqual(driver.wait, 10, "it may be silent for so long")
    }

    func testResolved_inAnyOtherState_changesNothing() {
        for place in LinkDriver.Place.allCases where place != .resolving {
            let driver = LinkDriver.at(place)
            let before = driver.link.state
            XCTAssertEqual(driver.resolved(), [], "\(place)")
            XCTAssertEqual(driver.link.state, before, "\(place)")
        }
    }

    func testSubscribing_whenReadsAreRefused_continues() {
        let driver = LinkDriver.at(.subscribing)

        XCTAssertEqual(
            driver.refuse(.bluez("NotPermitted", "Read not permitted")),
            [
                "note: cannot read c1: Read not permitted (org.bluez.Error.NotPermitted)",
                "read c3",
            ])
        XCTAssertEqual(driver.refuse(.timedOut).last, "read c4")
        XCTAssertEqual(driver.answerAll().last, "subscribing: waiting for the first value")
    }

    func testSubscribing_whenTheMeasurementIsRefused_endsTheLink() {
        let driver = LinkDriver.at(.subscribing)
        for _ in 0..<3 { _ = driver.answer() }

        XCTAssertEqual(driver.refuse(.bluez("NotSupported")).last, "subscribe to c4")
        XCTAssertEqual(
            driver.answer(),
            [
                "closed: subscription rejected",
                "backOff: subscription rejected", "disconnect 1",
            ])
    }

    func testSubscribing_whenOnlyTheBatteryIsRefused_isLive() {
        let driver = LinkDriver.at(.subscribing)
        for _ in 0..<4 { _ = driver.answer() }

        XCTAssertEqual(
            driver.refuse(.bluez("NotSupported")).last, "subscribing: waiting for the first value")
    }

    func testResolved_whenThereIsNothingToAskOf_endsTheLink() {
        let driver = LinkDriver.at(.resolving)

        XCTAssertEqual(
            driver.resolved([BlueZCharacteristic("c2", 0x180D, 0x2A37, ["write"])]),
            [
                "opened Strap", "subscribing",
                "closed: subscription rejected",
                "backOff: subscription rejected", "disconnect 1",
            ])
    }

    func testResolving_whenNothingIsResolved_isAFailureAndNoMissingService() {
        let driver = LinkDriver()
        for _ in 0..<4 {
            _ = driver.seen()
            _ = driver.turn()
            _ = driver.connectAnswered()
            let words = driver.pass(20)
            XCTAssertEqual(words.first, "backOff: service discovery timed out")
            XCTAssertTrue(words.last?.hasPrefix("disconnect") == true, "\(words)")
            let after = driver.disconnectAnswered() + driver.pass(60)
            XCTAssertFalse(after.contains { $0.hasPrefix("remove") }, "\(after)")
        }
    }

    func testResolved_whenTheServiceIsMissing_waitsASecondForIt() {
        let driver = LinkDriver.at(.resolving)

        XCTAssertEqual(driver.resolved(foreign), [])
        XCTAssertEqual(driver.wait, 1)
        XCTAssertEqual(
            driver.pass(1), ["backOff: required service not found: pulse", "disconnect 1"])
    }

    /// Objects come one after the other: the first must not be taken for all there are.
    func testResolved_whenServicesComeLate_takesAllThatCameInASecond() {
        let driver = LinkDriver.at(.resolving)
        XCTAssertEqual(driver.resolved([]), [])
        _ = driver.pass(0.2)

        XCTAssertEqual(driver.resolved(pulseOnly), [])
        _ = driver.pass(0.7)
        XCTAssertEqual(driver.resolved(), [])
        XCTAssertEqual(driver.wait ?? 0, 0.1, accuracy: 0.001)
        driver.comeToWake()

        XCTAssertEqual(driver.resolved(), ["opened Strap", "subscribing", "read c1"])
    }

    func testResolved_whenTheDeadlineIsNearer_waitsNoLonger() {
        let driver = LinkDriver.at(.resolving)
        _ = driver.pass(19.5)

        XCTAssertEqual(driver.resolved([]), [])

        XCTAssertEqual(driver.wait ?? 0, 0.5, accuracy: 0.001)
    }

    func testMissingService_threeTimesInARow_isForgottenByBlueZ() {
        let driver = LinkDriver()
        XCTAssertEqual(
            (1...7).map { failWithoutService(driver, $0) },
            [
                false, false, true, false, false, true, false,
            ])
    }

    func testMissingService_whenItWasThereInBetween_countsAgain() {
        let driver = LinkDriver()
        _ = failWithoutService(driver, 1)
        _ = failWithoutService(driver, 2)
        _ = driver.seen()
        _ = driver.turn(isConnected: true)
        _ = driver.resolved()
        _ = driver.connected(false)
        _ = driver.pass(1)

        XCTAssertFalse(failWithoutService(driver, 4))
    }

    /// An advertisement does not end the pause: the missing service will still be missing.
    func testMissingService_whenSeen_isWaitedOutAnyway() {
        let driver = LinkDriver()
        for attempt in 1...5 { _ = failWithoutService(driver, attempt, waits: attempt < 5) }
        let wait = driver.wait ?? 0
        XCTAssertGreaterThanOrEqual(wait, 0.75)

        XCTAssertEqual(driver.seen(), [])

        XCTAssertEqual(driver.wait, wait)
        XCTAssertEqual(driver.pass(wait), ["wanted: required service not found: pulse"])
        XCTAssertTrue(driver.link.isReadyToConnect, "it was seen meanwhile")
    }

    /// Whether the device is removed from BlueZ after one more link without the service.
    private func failWithoutService(
        _ driver: LinkDriver, _ attempt: Int, waits: Bool = true
    ) -> Bool {
        _ = driver.seen()
        _ = driver.turn()
        _ = driver.connectAnswered()
        _ = driver.resolved(foreign)
        _ = driver.pass(1)
        let words = driver.disconnectAnswered()
        if waits { _ = driver.pass(60) }
        return words.contains { $0.hasPrefix("remove") }
    }
}
