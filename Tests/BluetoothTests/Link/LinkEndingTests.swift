import DBus
import XCTest

@testable import Bluetooth

/// Everything that can go away, in every state.
final class LinkEndingTests: XCTestCase {
    private typealias Place = LinkDriver.Place
    private let opened: [Place] = [.subscribing, .live, .asked, .silent]
    private let early = "link lost before the first measurement"

    func testLinkLost_beforeAnythingWasMeasured_isTransient() {
        for (place, before) in [(Place.resolving, []), (.subscribing, ["closed: \(early)"])] {
            let driver = LinkDriver.at(place)
            XCTAssertEqual(driver.connected(false), before + ["backOff: \(early)"], "\(place)")
            XCTAssertEqual(driver.wait, 0.25, "\(place)")
        }
    }

    func testLinkLost_whenItWasLive_isNoFailure() {
        for place in [Place.live, .asked, .silent] {
            let driver = LinkDriver.at(place)
            XCTAssertEqual(
                driver.connected(false),
                ["closed: link lost", "wanted: link lost", "restart discovery"],
                "\(place)")
            XCTAssertEqual(driver.link.state, .wanted(isSeen: false), "\(place)")
            XCTAssertNil(driver.wait, "\(place)")
        }
    }

    func testLinkLost_whenThatWasAskedFor_isTheEndOfIt() {
        let driver = LinkDriver.at(.ending)

        XCTAssertEqual(
            driver.connected(false), ["backOff: connection attempt timed out", "restart discovery"])
        XCTAssertEqual(driver.disconnectAnswered(), [])
        XCTAssertEqual(driver.wait, 0.25)
    }

    func testLinkLost_inAnyOtherState_changesNothing() {
        for place in [Place.wanted, .seen, .connecting, .backOff, .idle] {
            let driver = LinkDriver.at(place)
            let before = driver.link.state
            XCTAssertEqual(driver.connected(false), [], "\(place)")
            XCTAssertEqual(driver.link.state, before, "\(place)")
        }
    }

    func testEnding_withoutAnAnswer_continuesAfterFiveSeconds() {
        let driver = LinkDriver.at(.ending)

        XCTAssertEqual(driver.pass(4.9), [])
        XCTAssertEqual(
            driver.pass(0.1), ["backOff: connection attempt timed out", "restart discovery"])
    }

    func testDisconnectAnswered_whenNotExpected_isIgnored() {
        for place in Place.allCases where place != .ending {
            let driver = LinkDriver.at(place)
            let before = driver.link.state
            XCTAssertEqual(driver.disconnectAnswered(), [], "\(place)")
            XCTAssertEqual(driver.link.state, before, "\(place)")
        }
    }

    /// The bus, bluetoothd or the adapter is gone: that is no failure of the device's.
    func testInterrupt_inEveryState_isWantedAgain() {
        for place in Place.allCases where place != .idle {
            let driver = LinkDriver.at(place)
            let closed = opened.contains(place) ? ["closed: adapter is powered off"] : []
            XCTAssertEqual(
                driver.interrupt("adapter is powered off"),
                closed + ["wanted: adapter is powered off"],
                "\(place)")
            XCTAssertEqual(driver.link.state, .wanted(isSeen: false), "\(place)")
            XCTAssertNil(driver.wait, "\(place)")
        }
    }

    func testInterrupt_manyTimes_isNoReasonToWait() {
        let driver = LinkDriver()
        for _ in 0..<20 {
            _ = driver.seen()
            _ = driver.turn()
            _ = driver.interrupt("adapter is powered off")
            _ = driver.pass(1)
        }
        driver.reach(.connecting)
        _ = driver.connectAnswered(.failed("refused"))
        XCTAssertEqual(driver.wait, 0.25)
    }

    /// An object that comes and goes must not make a pause shorter.
    func testDeviceRemoved_whileWaiting_waitsOn() {
        let driver = LinkDriver.at(.backOff)

        XCTAssertEqual(driver.deviceRemoved(), [])

        XCTAssertEqual(driver.wait, 0.25)
    }

    func testDeviceRemoved_whileWaiting_hasToBeSeenAgain() {
        let driver = LinkDriver.at(.connecting)
        _ = driver.connectAnswered(.failed("le-connection-abort-by-local"))

        XCTAssertEqual(driver.deviceRemoved(), [])

        _ = driver.pass(0.25)
        XCTAssertEqual(driver.link.state, .wanted(isSeen: false))
    }

    func testDeviceRemoved_inEveryOtherState_isWantedAgain() {
        for place in Place.allCases where place != .idle && place != .backOff {
            let driver = LinkDriver.at(place)
            let closed = opened.contains(place) ? ["closed: no longer in range"] : []
            XCTAssertEqual(
                driver.deviceRemoved(), closed + ["wanted: no longer in range"], "\(place)")
            XCTAssertEqual(driver.link.state, .wanted(isSeen: false), "\(place)")
        }
    }

    func testStop_disconnectsWhatIsOrMayBeLinked() {
        let linked: [Place] = [.connecting, .resolving, .ending] + opened
        for place in Place.allCases where place != .idle {
            let driver = LinkDriver.at(place)
            let closed = opened.contains(place) ? ["closed: stopped"] : []
            let last = linked.contains(place) ? ["disconnect 1"] : []
            XCTAssertEqual(driver.stop(), closed + ["idle"] + last, "\(place)")
            XCTAssertEqual(driver.link.state, .idle, "\(place)")
            XCTAssertNil(driver.wait, "\(place)")
        }
    }

    /// Somebody else has made the link, or an earlier gateway: it stays.
    func testStop_ofALinkThatWasThere_onlyEndsTheSubscriptions() {
        let driver = LinkDriver.takenOver()

        XCTAssertEqual(
            driver.stop(),
            ["closed: stopped", "idle"]
                + ["c2", "c4"].map { "unsubscribe from \($0)" })
    }

    func testEnd_ofALinkThatWasThere_leavesItAndTriesAgain() {
        let driver = LinkDriver.takenOver()
        _ = driver.pass(10)

        let words = driver.refuse(.timedOut)

        XCTAssertFalse(words.contains { $0.hasPrefix("disconnect") }, "\(words)")
        XCTAssertTrue(words.contains("unsubscribe from c2"), "\(words)")
        XCTAssertEqual(driver.wait, 0.25)
    }

    func testConnect_whenAnotherProgramIsAtIt_isTheirs() {
        for error in [BusError.bluez("AlreadyConnected"), .bluez("InProgress")] {
            for isToldFirst in [false, true] {
                let driver = LinkDriver.at(.connecting)
                if isToldFirst { _ = driver.connected(true) }
                _ = driver.connectAnswered(error)
                _ = driver.connected(true)
                XCTAssertEqual(driver.stop(), ["idle"], "\(error), \(isToldFirst)")
            }
        }
    }

    func testLinkThatCouldNotBeEnded_isStillOurs() {
        let driver = LinkDriver.at(.ending)
        _ = driver.pass(5.25)
        _ = driver.seen()

        _ = driver.turn(isConnected: true)

        XCTAssertEqual(driver.stop().last, "disconnect 2")
    }

    func testLinkOfOurs_thatIsGone_isNotTakenForTheNextOne() {
        let driver = LinkDriver.at(.live)
        _ = driver.connected(false)
        _ = driver.pass(1)
        _ = driver.seen()

        _ = driver.turn(isConnected: true)

        XCTAssertEqual(driver.stop(), ["idle"])
    }

    func testIdle_takesNothingAnyMore() {
        let driver = LinkDriver.at(.idle)

        XCTAssertEqual(driver.seen(), [])
        XCTAssertEqual(driver.turn(), [])
        XCTAssertEqual(driver.connected(true), [])
        XCTAssertEqual(driver.notify(), [])
        XCTAssertEqual(driver.battery(50), [])
        XCTAssertEqual(driver.interrupt("gone"), [])
        XCTAssertEqual(driver.deviceRemoved(), [])
        XCTAssertEqual(driver.pass(1_000), [])
        XCTAssertEqual(driver.link.state, .idle)
    }

    func testAnswersOfTheDevice_afterTheLinkIsGone_areIgnored() {
        let driver = LinkDriver.at(.subscribing)
        _ = driver.connected(false)

        XCTAssertEqual(driver.answer([1]), [])
        XCTAssertEqual(driver.notify([72]), [])
        XCTAssertEqual(driver.battery(50), [])
    }

    /// Every opened link is closed exactly once, whatever ends it.
    func testEveryEnd_closesWhatWasOpenedOnce() {
        let ends: [(String, (LinkDriver) -> [String])] = [
            ("lost", { $0.connected(false) }), ("adapter", { $0.interrupt("off") }),
            ("deviceRemoved", { $0.deviceRemoved() }), ("stop", { $0.stop() }),
        ]
        for place in opened {
            for (name, end) in ends {
                let driver = LinkDriver.at(place)
                let words =
                    end(driver) + driver.interrupt("again") + driver.stop() + driver.pass(100)
                let closed = words.filter { $0.hasPrefix("closed") }
                XCTAssertEqual(closed.count, 1, "\(place), \(name)")
            }
        }
    }
}
