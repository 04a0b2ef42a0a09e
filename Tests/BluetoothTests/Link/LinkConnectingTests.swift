import DBus
import XCTest

@testable import Bluetooth

final class LinkConnectingTests: XCTestCase {
    func testWanted_isSeenBeforeItIsReadyToConnect() {
        let driver = LinkDriver()
        XCTAssertFalse(driver.link.isReadyToConnect)
        XCTAssertNil(driver.wait)

        XCTAssertEqual(driver.seen(), [])

        XCTAssertTrue(driver.link.isReadyToConnect)
        XCTAssertTrue(driver.link.needsDiscovery)
        XCTAssertFalse(driver.link.isBusy)
        XCTAssertFalse(driver.link.isLinked)
    }

    func testTurn_whenNotSeen_doesNothing() {
        for place in LinkDriver.Place.allCases where place != .seen {
            let driver = LinkDriver.at(place)
            let before = driver.link.state
            XCTAssertEqual(driver.turn(), [], "\(place)")
            XCTAssertEqual(driver.link.state, before, "\(place)")
        }
    }

    func testTurn_connects() {
        let driver = LinkDriver.at(.seen)

        XCTAssertEqual(driver.turn(), ["connecting", "connect 1"])

        XCTAssertEqual(driver.wait, 20)
        XCTAssertTrue(driver.link.isBusy)
        XCTAssertTrue(driver.link.isLinked)
        XCTAssertFalse(driver.link.needsDiscovery)
    }

    func testTurn_whenAnotherProgramHasConnected_takesTheLinkOver() {
        let driver = LinkDriver.at(.seen)

        XCTAssertEqual(driver.turn(isConnected: true), ["resolving"])

        XCTAssertEqual(driver.wait, 20)
        XCTAssertFalse(driver.link.isBusy)
    }

    func testConnecting_whenTheCallSucceeds_resolvesOnce() {
        let driver = LinkDriver.at(.connecting)

        XCTAssertEqual(driver.connectAnswered(), ["resolving"])
        XCTAssertEqual(driver.connected(true), [])
        XCTAssertEqual(driver.link.state, .resolving)
    }

    func testConnecting_whenThePropertyComesFirst_resolvesOnce() {
        let driver = LinkDriver.at(.connecting)

        XCTAssertEqual(driver.connected(true), ["resolving"])
        XCTAssertEqual(driver.connectAnswered(), [])
        XCTAssertEqual(driver.link.state, .resolving)
    }

    func testConnecting_whenItIsConnectedAlready_resolves() {
        let errors: [BusError] = [
            .bluez("AlreadyConnected", "Already Connected"),
            .failed("le-connection-already-connected"),
            .failed("br-connection-already-connected"),
        ]
        for error in errors {
            let driver = LinkDriver.at(.connecting)
            XCTAssertEqual(driver.connectAnswered(error), ["resolving"], "\(error)")
        }
    }

    func testConnecting_whenThePropertyFalls_waitsForTheAnswer() {
        let driver = LinkDriver.at(.connecting)

        XCTAssertEqual(driver.connected(false), [])
        XCTAssertEqual(driver.link.state, .connecting)
    }

    func testConnecting_whenTheRadioIsDisturbed_triesAgainAtOnceWithoutANewSearch() {
        let driver = LinkDriver.at(.connecting)

        let words = driver.connectAnswered(.failed("le-connection-abort-by-local"))

        let error = "le-connection-abort-by-local (org.bluez.Error.Failed)"
        XCTAssertEqual(words, ["note: cannot connect: \(error)", "backOff: \(error)"])
        XCTAssertEqual(driver.wait, 0.25)
        XCTAssertEqual(driver.pass(0.25), ["wanted: \(error)"])
        XCTAssertTrue(driver.link.isReadyToConnect)
        XCTAssertEqual(driver.turn(), ["connecting", "connect 2"])
    }

    /// BlueZ lets the property go up and down around such an abort, and answers then.
    func testConnecting_whenThePropertyGoesUpAndDownBeforeTheError_failsOnce() {
        let driver = LinkDriver.at(.connecting)

        XCTAssertEqual(driver.connected(true), ["resolving"])
        XCTAssertEqual(
            driver.connected(false), ["backOff: link lost before the first measurement"])
        XCTAssertEqual(driver.connectAnswered(.failed("le-connection-abort-by-local")), [])
        XCTAssertEqual(driver.wait, 0.25)
    }

    func testConnecting_whenAnotherProgramIsConnecting_waitsForTheLink() {
        let errors: [BusError] = [
            .bluez("InProgress", "Operation already in progress"),
            .failed("Operation already in progress"),
        ]
        for error in errors {
            let driver = LinkDriver.at(.connecting)
            XCTAssertEqual(driver.connectAnswered(error), ["note: cannot connect: \(error)"])
            XCTAssertEqual(driver.link.state, .connecting)
            XCTAssertEqual(driver.connected(true), ["resolving"])
        }
    }

    func testConnecting_whenAnotherProgramIsConnectingForever_leavesThatToThem() {
        let driver = LinkDriver.at(.connecting)
        _ = driver.connectAnswered(.bluez("InProgress"))

        var words: [String] = []
        for _ in 0..<39 {
            words += driver.pass(0.5)
            _ = driver.connectAnswered(.bluez("InProgress"))
        }
        XCTAssertEqual(words, Array(repeating: "connect 1", count: 39))
        XCTAssertEqual(
            driver.pass(0.5), ["backOff: connection attempt timed out", "restart discovery"])
    }

    /// An attempt of an earlier gateway, or one that was cancelled, is over a moment later.
    func testConnecting_whenAnotherAttemptIsUnderWay_asksAgainSoon() {
        for error in [BusError.bluez("InProgress"), .failed("Operation already in progress")] {
            let driver = LinkDriver.at(.connecting)
            _ = driver.connectAnswered(error)
            XCTAssertEqual(driver.pass(0.4), [])

            XCTAssertEqual(driver.pass(0.1), ["connect 1"])
            XCTAssertEqual(driver.pass(10), [], "there is only ever one call")

            XCTAssertEqual(driver.connectAnswered(), ["resolving"])
            XCTAssertEqual(driver.stop().last, "disconnect 1", "the link is ours")
        }
    }

    func testConnecting_whenTheObjectIsGone_waitsFourSeconds_andNotWhenTheAdapterIsFull() {
        let full = "adapter connection limit reached"
        let errors: [(BusError, String, Double)] = [
            (.failed("le-connection-concurrent-connection-limit"), full, 0.25),
            (.failed("Too many links"), full, 0.25),
            (.unknownObject, "no longer in range", 4),
            (.bluez("DoesNotExist", "Does Not Exist"), "no longer in range", 4),
        ]
        for (error, reason, seconds) in errors {
            let driver = LinkDriver.at(.connecting)
            let words = driver.connectAnswered(error)
            XCTAssertEqual(words.count, 3, "\(error)")
            XCTAssertTrue(words[1].hasPrefix("backOff: \(reason)"), "\(words)")
            XCTAssertEqual(words.last, "restart discovery", "\(error)")
            XCTAssertEqual(driver.wait, seconds, "\(error)")
        }
    }

    func testConnecting_whenTheAdapterIsOff_isNoFailureOfTheDevice() {
        let driver = LinkDriver.at(.connecting)

        let words = driver.connectAnswered(.bluez("NotReady", "Resource Not Ready"))

        XCTAssertEqual(words.dropFirst(), ["wanted: adapter is powered off", "restart discovery"])
        XCTAssertEqual(driver.link.state, .wanted(isSeen: false))
        XCTAssertNil(driver.wait)
    }

    func testConnecting_whenTheDeviceRefuses_isAFailure() {
        let driver = LinkDriver.at(.connecting)

        XCTAssertEqual(
            driver.connectAnswered(.failed("le-connection-refused")),
            [
                "note: cannot connect: le-connection-refused (org.bluez.Error.Failed)",
                "backOff: cannot connect: "
                    + "le-connection-refused (org.bluez.Error.Failed)",
                "restart discovery",
            ])
        XCTAssertEqual(driver.pass(0.25).count, 1)
        XCTAssertFalse(driver.link.isReadyToConnect, "it is connected when it is seen again")
    }

    func testConnecting_whenThereIsNoAnswer_endsTheAttemptBeforeTheNext() {
        let driver = LinkDriver.at(.connecting)

        XCTAssertEqual(driver.pass(19.9), [])
        XCTAssertEqual(
            driver.pass(0.1), ["backOff: connection attempt timed out", "disconnect 1"])
        XCTAssertTrue(driver.link.isBusy)
        XCTAssertEqual(
            driver.disconnectAnswered(),
            ["backOff: connection attempt timed out", "restart discovery"])
        XCTAssertFalse(driver.link.isBusy)
    }

    func testAnswersToAConnection_whenNobodyWaitsForThem_areIgnored() {
        for place in LinkDriver.Place.allCases where place != .connecting {
            for error in [nil, BusError.failed("refused"), .unknownObject, .timedOut] {
                let driver = LinkDriver.at(place)
                let before = driver.link.state
                XCTAssertEqual(driver.connectAnswered(error), [], "\(place)")
                XCTAssertEqual(driver.link.state, before, "\(place)")
            }
        }
    }

    func testSeen_whileThereIsALinkOrNoneIsWanted_changesNothing() {
        let others: [LinkDriver.Place] = [.wanted, .backOff]
        for place in LinkDriver.Place.allCases where !others.contains(place) {
            let driver = LinkDriver.at(place)
            let (state, wait) = (driver.link.state, driver.wait)
            XCTAssertEqual(driver.seen(), [], "\(place)")
            XCTAssertEqual(driver.link.state, state, "\(place)")
            XCTAssertEqual(driver.wait, wait, "\(place)")
        }
    }
}
