import DBus
import XCTest

@testable import Bluetooth

/// A live link whose acquired notifications end.
final class LinkReleaseTests: XCTestCase {
    /// A live link of a profile that may be silent for ever.
    private func makeDriver() -> LinkDriver {
        var profile = PulseProfile()
        profile.silenceLimitSeconds = nil
        var policy = LinkPolicy()
        policy.acquired = .all
        let driver = LinkDriver([profile], policy: policy)
        driver.reach(.resolving)
        let characteristics = BlueZCharacteristic.strap.map { characteristic in
            var offered = characteristic
            offered.canBeAcquired = true
            return offered
        }
        _ = driver.resolved(characteristics)
        _ = driver.answerAll()
        _ = driver.notify()
        XCTAssertEqual(driver.link.state, .live)
        return driver
    }

    func testReleased_whenTheSubscriptionIsAccepted_staysLive() {
        let driver = makeDriver()
        _ = driver.released()
        XCTAssertEqual(driver.pass(1), ["subscribe to c2"])
        XCTAssertEqual(driver.answer(), [])
        XCTAssertEqual(driver.link.state, .live)
    }

    func testReleased_whenTheSubscriptionFails_endsTheLinkAndSaysWhy() {
        let driver = makeDriver()
        _ = driver.released()
        _ = driver.pass(1)
        let actions = driver.refuse(.failed("Operation failed with ATT error: 0x0e"))
        XCTAssertTrue(
            actions.contains { $0.contains("closed: the notifications ended, and subscribing") },
            "\(actions)")
        XCTAssertTrue(actions.contains { $0.contains("ATT error: 0x0e") })
        XCTAssertEqual(driver.link.isBusy, true, "it is being ended")
        XCTAssertTrue(driver.disconnectAnswered().contains { $0.contains("backOff") })
    }

    /// `pulsegate pair` beside the gateway can end a link that is being set up.
    func testNotConnected_duringTheSetup_isALossAndNoRejectedSubscription() {
        let driver = LinkDriver.at(.subscribing)
        while let question = driver.question, question.subscribedPath == nil {
            _ = driver.answer()
        }
        let refusal = BusError.remote(
            name: "org.bluez.Error.NotConnected", message: "Not Connected")
        let actions = driver.refuse(refusal) + driver.connected(false)
        XCTAssertTrue(
            actions.contains { $0.contains("link lost before the first measurement") },
            "\(actions)")
        XCTAssertFalse(actions.contains { $0.contains("rejected") }, "\(actions)")
        XCTAssertEqual(driver.link.state, .backOff(isSeen: true, endsWhenSeen: true))
    }
}
