import DBus
import Platform
import XCTest

@testable import Bluetooth

/// Links to a device that requires an encrypted link.
final class LinkPairingTests: XCTestCase {
    private let needed = "needs pairing: pulsegate pair D0:11:22:33:44:01"
    private let lost =
        "needs pairing again: bluetoothctl remove D0:11:22:33:44:01, "
        + "then pulsegate pair D0:11:22:33:44:01"
    private let waiting = "subscribing: waiting for the first value"
    private let early = "link lost before the first measurement"
    private let unanswered = "no answer to the subscription"
    private let suspected = "the device may need pairing: pulsegate pair D0:11:22:33:44:01"

    /// A link whose reads are answered; the measurement is subscribed to.
    private func subscribing(_ driver: LinkDriver = LinkDriver()) -> LinkDriver {
        _ = driver.seen()
        _ = driver.turn()
        _ = driver.connectAnswered()
        _ = driver.resolved()
        for _ in 0..<3 { _ = driver.answer() }
        XCTAssertEqual(driver.question, .subscribe("c2"))
        return driver
    }

    /// Lets the subscription to the measurement fail, and the link end.
    private func refuse(_ driver: LinkDriver, _ error: BusError) -> [String] {
        let words = driver.refuse(error) + driver.answer()
        return words.filter { !$0.hasPrefix("note") && !$0.hasPrefix("subscribe") }
            + driver.disconnectAnswered()
    }

    private func subscribe(
        _ error: BusError, times count: Int, on driver: LinkDriver
    ) -> [String] {
        (0..<count).map { _ in
            let reason = refuse(subscribing(driver), error).first ?? ""
            _ = driver.pass(60)
            return reason
        }
    }

    func testSubscription_refusedForSecurity_needsPairing() {
        let errors: [BusError] = [
            .bluez("NotPermitted", "Not paired"),
            .bluez("NotAuthorized", "Operation Not Authorized"),
            .failed("Operation failed with ATT error: 0x05"),
            .failed("Operation failed with ATT error: 0x08"),
            .failed("Operation failed with ATT error: 0x0c"),
            .failed("Operation failed with ATT error: 0x0f"),
            .failed("Insufficient Authentication"), .failed("Insufficient Encryption"),
        ]
        for error in errors {
            XCTAssertEqual(
                refuse(subscribing(), error),
                [
                    "closed: \(needed)", "backOff: \(needed)", "disconnect 1",
                    "requires pairing: \(needed)", "backOff: \(needed)", "restart discovery",
                ], "\(error)")
        }
    }

    func testRead_refusedForSecurity_needsNoPairingWhenTheMeasurementArrives() {
        let driver = LinkDriver.at(.subscribing)
        _ = driver.refuse(.bluez("NotPermitted", "Not paired"))

        XCTAssertEqual(driver.answerAll().last, waiting)
    }

    func testSubscription_refusedForAnotherReason_doesNotMentionPairing() {
        for error in [
            BusError.bluez("NotPermitted", "Notify acquired"), .bluez("NotSupported"),
            .failed("Operation failed with ATT error: 0x80"),
        ] {
            let reasons = subscribe(error, times: 4, on: LinkDriver())
            XCTAssertEqual(Set(reasons), ["closed: subscription rejected"], "\(error)")
        }
    }

    /// Every attempt disturbs the strap, and nothing changes before somebody pairs it.
    func testNeedsPairing_waitsForMinutes_alsoWhenTheDeviceAdvertises() {
        let driver = LinkDriver()
        var waits: [Double] = []
        for _ in 0..<8 {
            _ = refuse(subscribing(driver), .bluez("NotPermitted", "Not paired"))
            _ = driver.seen()
            waits.append(driver.wait ?? 0)
            _ = driver.pass(3_600)
        }

        for (wait, longest) in zip(waits, [60.0, 120, 240, 480, 960, 1_920, 3_600, 3_600]) {
            XCTAssertLessThanOrEqual(wait, longest)
            XCTAssertGreaterThanOrEqual(wait, longest * 0.75)
        }
    }

    func testNeedsPairing_isLoggedOnce() {
        let driver = LinkDriver()
        var words: [String] = []
        for _ in 0..<3 {
            words += refuse(subscribing(driver), .bluez("NotPermitted", "Not paired"))
            _ = driver.pass(3_600)
        }

        XCTAssertEqual(words.count { $0 == "requires pairing: \(needed)" }, 1)
    }

    func testPaired_endsThePause() {
        let driver = subscribing()
        _ = refuse(driver, .bluez("NotPermitted", "Not paired"))
        _ = driver.pass(10)

        XCTAssertEqual(driver.paired(true), ["wanted: paired, and not seen since then"])

        XCTAssertEqual(driver.seen(), [])
        XCTAssertTrue(driver.link.isReadyToConnect)
        XCTAssertEqual(driver.turn(isConnected: true), ["resolving"])
        _ = driver.resolved()
        XCTAssertEqual(driver.answerAll().last, waiting)
    }

    /// bluetoothd 5.66 loses the request that it repeats while the link is being encrypted.
    func testPaired_whenTheSubscriptionIsNotAnswered_connectsAgain() {
        let driver = subscribing()

        XCTAssertEqual(driver.paired(true), [])
        XCTAssertEqual(driver.pass(1.9), [])
        let reason = "no answer to the subscription after pairing"
        XCTAssertEqual(
            driver.pass(0.1), ["closed: \(reason)", "backOff: \(reason)", "disconnect 1"])
        _ = driver.disconnectAnswered()
        XCTAssertEqual(driver.wait, 0.25)
    }

    func testPaired_whenTheSubscriptionIsAnswered_isLive() {
        let driver = subscribing()
        _ = driver.paired(true)
        _ = driver.pass(1)

        XCTAssertEqual(driver.answerAll().last, waiting)
        XCTAssertEqual(driver.wait, 10)
    }

    func testRefused_whenPaired_needsAnotherPairing() {
        let driver = LinkDriver()
        _ = driver.paired(true)

        XCTAssertEqual(
            refuse(subscribing(driver), .bluez("NotPermitted", "Not paired")).first,
            "closed: \(lost)")
    }

    /// Without an agent bluetoothd answers after 30 seconds; that alone may be a bad connection.
    func testSubscription_notAnsweredThreeTimes_mayNeedPairing() {
        let reasons = subscribe(.timedOut, times: 4, on: LinkDriver())

        XCTAssertEqual(
            reasons,
            [
                "closed: \(unanswered)", "closed: \(unanswered)",
                "closed: \(unanswered); \(suspected)", "closed: \(unanswered); \(suspected)",
            ])
    }

    /// A device that refuses to be paired drops the link.
    func testLinkLost_threeTimesWhileSubscribing_mayNeedPairing() {
        let driver = LinkDriver()
        let reasons = (0..<4).map { _ in
            let words = subscribing(driver).connected(false)
            _ = driver.pass(60)
            return words.first
        }

        XCTAssertEqual(
            reasons,
            [
                "closed: \(early)", "closed: \(early)", "closed: \(early); \(suspected)",
                "closed: \(early); \(suspected)",
            ])
    }

    /// It advertises all the time, and drops every link when it is to be encrypted.
    func testLinkLostAgainAndAgain_isNoStormOfConnects() {
        let driver = LinkDriver()
        var times: [Double] = []
        let start = driver.now
        while driver.now.seconds(since: start) < 60 {
            _ = driver.seen()
            if driver.link.isReadyToConnect {
                times.append(driver.now.seconds(since: start))
                _ = subscribing(driver).connected(false)
            }
            _ = driver.pass(0.1)
        }

        XCTAssertLessThanOrEqual(times.count, 6, "\(times)")
        XCTAssertLessThan(times[2], 5, "the reason is known soon")
    }

    /// A device that has lost its keys drops the link as soon as it is to be encrypted.
    func testLinkLost_threeTimesWhileResolving_whenPaired_mayHaveLostThePairing() {
        let driver = LinkDriver()
        _ = driver.paired(true)
        let reasons = (0..<3).map { _ in
            _ = driver.seen()
            _ = driver.turn()
            _ = driver.connectAnswered()
            let words = driver.connected(false)
            _ = driver.pass(60)
            return words.first
        }

        let hint =
            "the device may have lost its pairing: bluetoothctl remove D0:11:22:33:44:01, "
            + "then pulsegate pair D0:11:22:33:44:01"
        XCTAssertEqual(
            reasons, ["backOff: \(early)", "backOff: \(early)", "backOff: \(early); \(hint)"])
    }

    func testLinkLost_whileResolvingOrMeasuring_isNoSignWhenNotPaired() {
        let driver = LinkDriver()
        for _ in 0..<5 {
            _ = driver.seen()
            _ = driver.turn()
            _ = driver.connectAnswered()
            XCTAssertEqual(driver.connected(false).first, "backOff: \(early)")
            _ = driver.pass(60)
        }
    }

    func testSigns_areForgottenByALiveLink() {
        let driver = LinkDriver()
        _ = subscribe(.timedOut, times: 2, on: driver)
        _ = subscribing(driver).answerAll()
        _ = driver.connected(false)
        _ = driver.pass(60)

        XCTAssertEqual(
            subscribe(.timedOut, times: 2, on: driver),
            ["closed: \(unanswered)", "closed: \(unanswered)"])
    }

    func testMayNeedPairing_isNotRetriedAtOnce() {
        let driver = LinkDriver()
        _ = subscribe(.timedOut, times: 2, on: driver)

        _ = refuse(subscribing(driver), .timedOut)
        _ = driver.seen()

        XCTAssertGreaterThanOrEqual(driver.wait ?? 0, 0.75)
    }
}
