import DBus
import XCTest

@testable import Bluetooth

/// Everything that can go away, in every state.
final class LinkEndingTests: XCTestCase {
    private typealias Place = LinkDriver.Place
    private let opened: [Place] = [.subscribing, .live, .asked, .silent]
    private let early = "the link was lost before anything was measured"

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
                ["closed: the link was lost", "wanted: the link was lost", "look again"],
                "\(place)")
            XCTAssertEqual(driver.link.state, .wanted(isHeard: false), "\(place)")
            XCTAssertNil(driver.wait, "\(place)")
        }
    }

    func testLinkLost_whenThatWasAskedFor_isTheEndOfIt() {
        let driver = LinkDriver.at(.ending)

        XCTAssertEqual(
            driver.connected(false), ["backOff: no answer to a connection", "look again"])
        XCTAssertEqual(driver.disconnectAnswered(), [])
        XCTAssertEqual(driver.wait, 0.25)
    }

    func testLinkLost_inAnyOtherState_changesNothing() {
        for place in [Place.wanted, .heard, .connecting, .backOff, .idle] {
            let driver = LinkDriver.at(place)
            let before = driver.link.state
            XCTAssertEqual(driver.connected(false), [], "\(place)")
            XCTAssertEqual(driver.link.state, before, "\(place)")
        }
    }

    func testEnding_whenNobodyAnswers_goesOnAfterFiveSeconds() {
        let driver = LinkDriver.at(.ending)

        XCTAssertEqual(driver.pass(4.9), [])
        XCTAssertEqual(
            driver.pass(0.1), ["backOff: no answer to a connection", "look again"])
    }

    func testDisconnectAnswered_whenNobodyWaitsForIt_isIgnored() {
        for place in Place.allCases where place != .ending {
            let driver = LinkDriver.at(place)
            let before = driver.link.state
            XCTAssertEqual(driver.disconnectAnswered(), [], "\(place)")
            XCTAssertEqual(driver.link.state, before, "\(place)")
        }
    }

    /// The bus, bluetoothd or the adapter is gone: that is no failure of the device's.
    func testLose_inEveryState_isWantedAnew() {
        for place in Place.allCases where place != .idle {
            let driver = LinkDriver.at(place)
            let closed = opened.contains(place) ? ["closed: the adapter is off"] : []
            XCTAssertEqual(
                driver.lose("the adapter is off"), closed + ["wanted: the adapter is off"],
                "\(place)")
            XCTAssertEqual(driver.link.state, .wanted(isHeard: false), "\(place)")
            XCTAssertNil(driver.wait, "\(place)")
        }
    }

    func testLose_manyTimes_isNoReasonToWait() {
        let driver = LinkDriver()
        for _ in 0..<20 {
            _ = driver.heard()
            _ = driver.turn()
            _ = driver.lose("the adapter is off")
            _ = driver.pass(1)
        }
        driver.reach(.connecting)
        _ = driver.connectAnswered(.failed("refused"))
        XCTAssertEqual(driver.wait, 0.25)
    }

    /// An object that comes and goes must not make a pause shorter.
    func testForgotten_whileWaiting_waitsOn() {
        let driver = LinkDriver.at(.backOff)

        XCTAssertEqual(driver.forgotten(), [])

        XCTAssertEqual(driver.wait, 0.25)
    }

    func testForgotten_whileWaiting_hasToBeHeardAgain() {
        let driver = LinkDriver.at(.connecting)
        _ = driver.connectAnswered(.failed("le-connection-abort-by-local"))

        XCTAssertEqual(driver.forgotten(), [])

        _ = driver.pass(0.25)
        XCTAssertEqual(driver.link.state, .wanted(isHeard: false))
    }

    func testForgotten_inEveryOtherState_isWantedAnew() {
        for place in Place.allCases where place != .idle && place != .backOff {
            let driver = LinkDriver.at(place)
            let closed = opened.contains(place) ? ["closed: not heard any more"] : []
            XCTAssertEqual(
                driver.forgotten(), closed + ["wanted: not heard any more"], "\(place)")
            XCTAssertEqual(driver.link.state, .wanted(isHeard: false), "\(place)")
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
                + ["c2", "c4"].map { "end the subscription to \($0)" })
    }

    func testEnd_ofALinkThatWasThere_leavesItAndTriesAgain() {
        let driver = LinkDriver.takenOver()
        _ = driver.pass(10)

        let words = driver.refuse(.timedOut)

        XCTAssertFalse(words.contains { $0.hasPrefix("disconnect") }, "\(words)")
        XCTAssertTrue(words.contains("end the subscription to c2"), "\(words)")
        XCTAssertEqual(driver.wait, 0.25)
    }

    func testConnect_whenSomebodyElseIsAtIt_isTheirs() {
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
        _ = driver.heard()

        _ = driver.turn(isConnected: true)

        XCTAssertEqual(driver.stop().last, "disconnect 2")
    }

    func testLinkOfOurs_thatIsGone_isNotTakenForTheNextOne() {
        let driver = LinkDriver.at(.live)
        _ = driver.connected(false)
        _ = driver.pass(1)
        _ = driver.heard()

        _ = driver.turn(isConnected: true)

        XCTAssertEqual(driver.stop(), ["idle"])
    }

    func testIdle_takesNothingAnyMore() {
        let driver = LinkDriver.at(.idle)

        XCTAssertEqual(driver.heard(), [])
        XCTAssertEqual(driver.turn(), [])
        XCTAssertEqual(driver.connected(true), [])
        XCTAssertEqual(driver.notify(), [])
        XCTAssertEqual(driver.battery(50), [])
        XCTAssertEqual(driver.lose("gone"), [])
        XCTAssertEqual(driver.forgotten(), [])
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
            ("lost", { $0.connected(false) }), ("adapter", { $0.lose("off") }),
            ("forgotten", { $0.forgotten() }), ("stop", { $0.stop() }),
        ]
        for place in opened {
            for (name, end) in ends {
                let driver = LinkDriver.at(place)
                let words = end(driver) + driver.lose("again") + driver.stop() + driver.pass(100)
                let closed = words.filter { $0.hasPrefix("closed") }
                XCTAssertEqual(closed.count, 1, "\(place), \(name)")
            }
        }
    }
}
