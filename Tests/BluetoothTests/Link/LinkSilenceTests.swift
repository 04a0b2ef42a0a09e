import ByteDecoding
import DBus
import GatewayCore
import HealthModel
import Readings
import XCTest

@testable import Bluetooth

final class LinkSilenceTests: XCTestCase {
    private let silent = "stale: no valid data received within the silence limit"

    private let waiting = "subscribing: waiting for the first value"

    /// bluetoothd accepts subscriptions to a device that has gone, too.
    func testSubscribed_isLiveWithTheFirstValueOnly() {
        let driver = LinkDriver.at(.subscribing)

        XCTAssertEqual(driver.answerAll().last, waiting)
        XCTAssertEqual(driver.notify([72]), ["pulse 72", "live"])
        XCTAssertEqual(driver.notify([73]), ["pulse 73"])
    }

    func testSubscribed_withoutAnyValue_isStaleAndNeverLive() {
        let driver = LinkDriver.at(.subscribing)
        _ = driver.answerAll()

        XCTAssertEqual(driver.pass(10), [silent, "read c1"])
        XCTAssertEqual(driver.answer([1]), ["unsubscribe from c2"])
        XCTAssertEqual(driver.answerAll(), ["subscribe to c2"])
        XCTAssertEqual(driver.notify([72]), ["pulse 72", "live"])
    }

    /// A link of another program is left alone once; when it is dead again, nobody can use it.
    func testSilentLinkOfAnotherProgram_isEndedTheSecondTime() {
        let driver = LinkDriver.takenOver()
        let first = driver.pass(15)
        XCTAssertTrue(first.contains("backOff: no data, and no reply to a read"), "\(first)")
        XCTAssertFalse(first.contains("disconnect 1"))

        for number in 2...3 {
            _ = driver.pass(1)
            _ = driver.seen()
            _ = driver.turn(isConnected: true)
            _ = driver.resolved()
            _ = driver.answerAll()
            let words = driver.pass(15)

            XCTAssertEqual(words.last, "disconnect \(number)")
            XCTAssertEqual(
                words.dropLast().last,
                "backOff: no data, and no reply to a read, in \(number) links in a row; switch the "
                    + "device off and on, or run `bluetoothctl disconnect D0:11:22:33:44:01`")
            _ = driver.disconnectAnswered()
        }
    }

    /// Every read of a dead link takes its whole time; there may be many.
    func testSubscribing_whenTwoRequestsInARowAreNotAnswered_endsTheLink() {
        let driver = LinkDriver.at(.subscribing)
        _ = driver.refuse(.timedOut)
        _ = driver.refuse(.failed("Operation failed with ATT error: 0x0e"))
        _ = driver.refuse(.timedOut)
        XCTAssertEqual(driver.link.state, .subscribing)

        let words = driver.refuse(.timedOut)

        XCTAssertEqual(words.last, "disconnect 1")
        XCTAssertTrue(words.contains("backOff: no data, and no reply to a read"), "\(words)")
    }

    func testSilentLink_afterAValue_countsFromTheBeginning() {
        let driver = LinkDriver.at(.live)
        for _ in 0..<3 {
            let words = driver.pass(15)
            XCTAssertEqual(words.last, "disconnect \(driver.link.attempt)")
            XCTAssertTrue(words.contains("backOff: no data, and no reply to a read"), "\(words)")
            _ = driver.disconnectAnswered()
            _ = driver.pass(1)
            driver.reach(.live)
        }
    }

    func testLive_whenMeasurementsCome_isNeverAsked() {
        let driver = LinkDriver.at(.live)
        for _ in 0..<20 {
            XCTAssertEqual(driver.pass(9.9), [])
            XCTAssertEqual(driver.notify([72]), ["pulse 72"])
        }
        XCTAssertEqual(driver.link.state, .live)
    }

    func testLive_whenValuesCannotBeUsed_isSilent() {
        let driver = LinkDriver.at(.live)
        _ = driver.pass(9)

        XCTAssertEqual(driver.notify([]), ["dropped damaged 1"])

        XCTAssertEqual(driver.pass(1), [silent, "read c1"])
    }

    /// A strap without skin contact reports that; it is not silent.
    func testLive_whenPacketsHaveNothingInThem_isNotSilent() {
        for drops in [[], [DropReason.empty]] {
            let driver = LinkDriver([QuietProfile(drops: drops)])
            driver.reach(.live)
            for _ in 0..<5 {
                XCTAssertEqual(driver.pass(9), [])
                XCTAssertEqual(driver.notify([0]).last, "heard")
            }
            XCTAssertEqual(driver.link.state, .live)
        }
    }

    func testStale_whenAPacketHasNothingInIt_isLiveAgain() {
        let driver = LinkDriver([QuietProfile(drops: [])])
        driver.reach(.asked)

        XCTAssertEqual(driver.notify([0]), ["heard"])

        XCTAssertEqual(driver.link.state, .live)
    }

    /// Two programs have subscribed.
    func testCopies_areCountedOnly() {
        let driver = LinkDriver.at(.live)
        for value: UInt8 in [72, 72] {
            _ = driver.pass(1)
            XCTAssertEqual(driver.notify([value]), ["pulse 72"])
            XCTAssertEqual(driver.notify([value]), ["dropped copy 1"])
        }
    }

    func testLive_whenSilent_isAskedForSomethingHarmless() {
        let driver = LinkDriver.at(.live)

        XCTAssertEqual(driver.pass(9.9), [])
        XCTAssertEqual(driver.pass(0.1), [silent, "read c1"])
        XCTAssertEqual(driver.link.state, .stale(isProbing: true))
        XCTAssertEqual(driver.wait, 5)
    }

    func testAsked_whenItAnswers_isSubscribedToAgainOnceAndAskedEveryMinute() {
        let driver = LinkDriver.at(.asked)

        XCTAssertEqual(driver.answer([1]), ["unsubscribe from c2"])
        XCTAssertEqual(driver.answer([]), ["subscribe to c2"])
        XCTAssertEqual(driver.answer([]), [])
        XCTAssertEqual(driver.pass(59.9), [])
        XCTAssertEqual(driver.pass(0.1), ["read c1"])
        XCTAssertEqual(driver.answer([1]), [], "one new subscription is enough")
        XCTAssertEqual(driver.pass(60), ["read c1"])
    }

    func testAsked_whenItAnswersWithARefusal_isThere() {
        let refusals: [BusError] = [
            .bluez("NotPermitted", "Read not permitted"), .bluez("NotAuthorized"),
            .bluez("NotSupported"), .failed("Operation failed with ATT error: 0x0e"),
        ]
        for refusal in refusals {
            let driver = LinkDriver.at(.asked)
            XCTAssertEqual(driver.refuse(refusal).last, "unsubscribe from c2")
            XCTAssertEqual(driver.link.state, .stale(isProbing: false), "\(refusal)")
        }
    }

    func testAsked_whenItDoesNotAnswer_endsTheLink() {
        let errors: [BusError] = [.timedOut, .failed("Not connected"), .unknownObject]
        for error in errors {
            let driver = LinkDriver.at(.asked)
            XCTAssertEqual(
                driver.refuse(error).dropFirst(),
                [
                    "closed: no data, and no reply to a read",
                    "backOff: no data, and no reply to a read", "disconnect 1",
                ], "\(error)")
        }
    }

    func testAsked_withoutAnAnswer_endsTheLinkAfterFiveSeconds() {
        let driver = LinkDriver.at(.asked)

        XCTAssertEqual(driver.pass(4.9), [])
        XCTAssertEqual(driver.pass(0.1).last, "disconnect 1")
    }

    func testAsked_whenBlueZIsBusy_isAskedAgain() {
        let driver = LinkDriver.at(.asked)

        XCTAssertEqual(driver.refuse(.bluez("InProgress")).count, 1, "only the note")
        XCTAssertEqual(driver.link.state, .stale(isProbing: true))
        XCTAssertEqual(driver.pass(0.1), ["read c1"])
        XCTAssertEqual(driver.answer(), ["unsubscribe from c2"])
    }

    func testAsked_whenAMeasurementComes_isLiveAgain() {
        for place in [LinkDriver.Place.asked, .silent] {
            let driver = LinkDriver.at(place)
            XCTAssertEqual(driver.notify([72]), ["pulse 72"])
            XCTAssertEqual(driver.link.state, .live)
            XCTAssertEqual(driver.wait, 10)
        }
    }

    func testAsked_whenAMeasurementComesFirst_theAnswerIsOfNoConsequence() {
        for answer in [true, false] {
            let driver = LinkDriver.at(.asked)
            _ = driver.notify([72])
            let words = answer ? driver.answer([1]) : driver.refuse(.timedOut)
            XCTAssertEqual(words.count, answer ? 0 : 1, "\(words)")
            XCTAssertEqual(driver.link.state, .live)
        }
    }

    func testSilent_whenTheBatteryIsReported_respondsAgainLikeTheReportsReader() {
        let driver = LinkDriver.at(.silent)

        XCTAssertEqual(driver.notify([80], from: "c4"), ["battery 0.8"])

        XCTAssertEqual(driver.link.state, .live)
    }

    func testSilent_afterBeingLiveAgain_isSubscribedToAgainOnceMore() {
        let driver = LinkDriver.at(.silent)
        _ = driver.notify()

        XCTAssertEqual(driver.pass(10), [silent, "read c1"])
        XCTAssertEqual(driver.answer(), ["unsubscribe from c2"])
    }

    func testSilent_whenTheNewSubscriptionIsRefused_endsTheLink() {
        let driver = LinkDriver.at(.asked)
        _ = driver.answer()
        _ = driver.answer()

        XCTAssertEqual(
            driver.refuse(.failed("Operation failed with ATT error: 0x0e")).dropFirst(),
            [
                "closed: subscription rejected",
                "backOff: subscription rejected", "disconnect 1",
            ])
    }

    func testLive_whenSilentWithNothingToRead_endsTheLink() {
        let driver = LinkDriver.at(.resolving)
        _ = driver.resolved([BlueZCharacteristic("c2", 0x180D, 0x2A37, ["notify"])])
        XCTAssertEqual(driver.answerAll(), [waiting])

        XCTAssertEqual(
            driver.pass(10),
            [
                silent, "closed: no data, and no readable characteristic to probe",
                "backOff: no data, and no readable characteristic to probe", "disconnect 1",
            ])
    }

    func testLive_whenSomethingIsBeingAsked_thatAnswerWillDo() {
        var profile = PulseProfile()
        profile.writes = [GATTWrite([1], to: PulseProfile.control)]
        let driver = LinkDriver([profile])
        driver.reach(.resolving)
        _ = driver.resolved(
            BlueZCharacteristic.strap + [BlueZCharacteristic("c5", 0x180D, 0x2A39, ["write"])])
        _ = driver.answerAll()
        XCTAssertEqual(driver.notify([72]), ["pulse 72", "write to c5", "live"])

        XCTAssertEqual(driver.pass(10), [silent], "there is only ever one question")
        XCTAssertEqual(driver.link.state, .stale(isProbing: true))
        XCTAssertEqual(driver.answer([]), ["unsubscribe from c2"])
    }

    func testLive_whenTheDevicesProfileMayBeSilent_isNeverAsked() {
        let driver = LinkDriver([PulseProfile(), ScaleProfile()])
        driver.reach(.resolving)
        _ = driver.resolved([BlueZCharacteristic("c9", 0x181D, 0x2A9D, ["indicate"])])
        XCTAssertEqual(driver.answerAll(), ["live"])

        XCTAssertNil(driver.wait)
        XCTAssertEqual(driver.pass(86_400), [])
    }

    func testBattery_ofTheDaemon_countsAsALifeSign() {
        let driver = LinkDriver.at(.resolving)
        _ = driver.resolved(
            BlueZCharacteristic.strap.filter { $0.uuid != .batteryLevel }, battery: 90)
        _ = driver.answerAll()
        _ = driver.pass(10)
        _ = driver.answer()

        XCTAssertEqual(driver.battery(80), ["battery 0.8", "live"])
        XCTAssertEqual(driver.link.state, .live)
    }
}

/// A profile of a device that may be silent.
private struct QuietProfile: GATTProfile {
    let name = "quiet"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A37)]
    let silenceLimitSeconds: Double? = 10
    let drops: [DropReason]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding { GATTDecoding(drops: drops) }
}
