import GatewayTesting
import Platform
import Readings
import XCTest

@testable import Bluetooth

final class GATTSessionTests: XCTestCase {
    private func makeDriver(
        _ profiles: [any GATTProfile] = [PulseProfile()],
        with characteristics: [BlueZCharacteristic] = BlueZCharacteristic.strap
    ) throws -> GATTSessionDriver {
        try XCTUnwrap(GATTSessionDriver(profiles, with: characteristics))
    }

    func testInit_whenNoServiceIsWanted_isNothing() {
        XCTAssertNil(GATTSessionDriver(with: []))
        XCTAssertNil(
            GATTSessionDriver(with: [BlueZCharacteristic("c1", 0x1816, 0x2A5B, ["notify"])]))
        XCTAssertNil(GATTSessionDriver([], with: BlueZCharacteristic.strap))
    }

    func testOpen_readsBeforeItSubscribesOneAfterTheOther() throws {
        var driver = try makeDriver()

        XCTAssertEqual(driver.open(), ["read c1"])

        XCTAssertEqual(
            driver.answerAll(),
            ["read c1", "read c3", "read c4", "subscribe to c2", "subscribe to c4"])
        XCTAssertTrue(driver.session.isReady)
        XCTAssertTrue(driver.session.isSubscribed)
    }

    func testOpen_leavesOutWhatIsMissingOrNotAllowed() throws {
        var driver = try makeDriver(with: [
            BlueZCharacteristic("c2", 0x180D, 0x2A37, ["indicate"]),
            BlueZCharacteristic("c3", 0x180D, 0x2A38, ["write"]),
            BlueZCharacteristic("c4", 0x180F, 0x2A19, ["read"]),
        ])
        _ = driver.open()

        XCTAssertEqual(driver.answerAll(), ["read c4", "subscribe to c2"])
    }

    func testOpen_whenOnlyOneOfTheProfilesIsOffered_asksForNothingOfTheOther() throws {
        var driver = try makeDriver([ScaleProfile(), PulseProfile()])
        _ = driver.open()

        XCTAssertEqual(driver.session.silenceLimitSeconds, 10)
        XCTAssertEqual(driver.answerAll().last, "subscribe to c4")
    }

    func testOpen_whenACharacteristicIsThereTwice_usesTheFirst() throws {
        var driver = try makeDriver(with: [
            BlueZCharacteristic("c2", 0x180D, 0x2A37, ["notify"]),
            BlueZCharacteristic("c7", 0x180D, 0x2A37, ["notify"]),
        ])
        _ = driver.open()

        XCTAssertEqual(driver.answerAll(), ["subscribe to c2"])
    }

    func testFinished_withAnAnswerToSomethingElse_changesNothing() throws {
        var driver = try makeDriver()
        _ = driver.open()

        XCTAssertEqual(driver.answer(out: .read("c3")), [])
        XCTAssertEqual(driver.answer(out: .subscribe("c2")), [])
        XCTAssertFalse(driver.session.isReady)
        XCTAssertEqual(driver.answer([]), ["read c3"])
        XCTAssertEqual(driver.answer(out: .read("c1")), [], "it was answered already")
    }

    func testFinished_whenEverythingIsRefused_isReadyAndNotSubscribed() throws {
        var driver = try makeDriver()
        _ = driver.open()
        for _ in 0..<5 { _ = driver.answer(nil) }

        XCTAssertTrue(driver.session.isReady)
        XCTAssertFalse(driver.session.isSubscribed)
        XCTAssertEqual(driver.receive([72], from: "c2"), [])
    }

    func testFinished_whenBusy_asksAgainAfterAPauseAndNotForever() throws {
        var driver = try makeDriver()
        _ = driver.open()
        for _ in 0..<GATTRequests.busyLimit {
            XCTAssertEqual(driver.answer(nil, isBusy: true), [])
            XCTAssertFalse(driver.session.isReady)
            XCTAssertEqual(driver.pass(0.09), [])
            XCTAssertEqual(driver.pass(0.01), ["read c1"])
        }

        XCTAssertEqual(driver.answer(nil, isBusy: true), ["read c3"])
        XCTAssertEqual(driver.answer(nil, isBusy: true), [], "the count starts again")
        XCTAssertEqual(driver.pass(0.1), ["read c3"])
    }

    func testReceived_beforeTheAnswerToTheSubscription_isTaken() throws {
        var driver = try makeDriver()
        _ = driver.open()
        for _ in 0..<3 { _ = driver.answer() }

        XCTAssertEqual(driver.receive([72], from: "c2"), ["pulse 72"])
    }

    func testReceived_fromWhatIsNotSubscribedTo_isIgnored() throws {
        var driver = try makeDriver()
        _ = driver.open()

        XCTAssertEqual(driver.receive([72], from: "c2"), [], "not yet")
        _ = driver.answerAll()
        XCTAssertEqual(driver.receive([1], from: "c3"), [])
        XCTAssertEqual(driver.receive([1], from: "c99"), [])
    }

    /// BlueZ emits the value of a read like a notification before it answers.
    func testReceived_whileTheSameIsRead_isNotTakenTwice() throws {
        let readable = BlueZCharacteristic("c2", 0x180D, 0x2A37, ["notify", "read"])
        var driver = try makeDriver(with: [readable])
        _ = driver.open()
        _ = driver.answerAll()

        XCTAssertEqual(driver.probe(), ["read c2"])
        XCTAssertEqual(driver.receive([72], from: "c2"), [])
        XCTAssertEqual(driver.answer([72]), [], "it only checks that the device responds")
        XCTAssertEqual(driver.receive([73], from: "c2"), ["pulse 73"])
    }

    func testReceived_whenTheSameValueComesTwice_isTakenTwice() throws {
        var driver = try makeDriver()
        _ = driver.open()
        _ = driver.answerAll()

        XCTAssertEqual(driver.receive([72], from: "c2"), ["pulse 72"])
        _ = driver.pass(1)
        XCTAssertEqual(driver.receive([72], from: "c2"), ["pulse 72"])
    }

    /// Another program has subscribed to the same characteristic, and not to the other one.
    func testReceived_whenItIsOnlyACopy_isCounted() throws {
        var driver = try makeDriver()
        _ = driver.open()
        _ = driver.answerAll()

        XCTAssertEqual(driver.receive([72], from: "c2"), ["pulse 72"])
        XCTAssertEqual(driver.receive([72], from: "c4"), ["battery 0.72"])
        XCTAssertEqual(driver.receive([72], from: "c2"), ["dropped copy 1"])
    }

    func testProbe_readsTheFirstThatCanBeRead() throws {
        var driver = try makeDriver()
        _ = driver.open()
        _ = driver.answerAll()

        XCTAssertEqual(driver.probe(), ["read c1"])
        XCTAssertEqual(driver.answer(Array("Acme".utf8)), [])
        XCTAssertTrue(driver.session.isReady)
    }

    func testProbe_whenNothingCanBeRead_isNothing() throws {
        var driver = try makeDriver(with: [BlueZCharacteristic("c2", 0x180D, 0x2A37, ["notify"])])
        _ = driver.open()
        _ = driver.answerAll()

        XCTAssertNil(driver.probe())
    }

    func testProbe_whileSomethingIsAsked_asksNothingMore() throws {
        var driver = try makeDriver()
        _ = driver.open()

        XCTAssertEqual(driver.probe(), [])
        XCTAssertEqual(driver.answerAll().count, 5)
    }

    func testRenew_whenRefused_isNotSubscribedAnyMore() throws {
        var driver = try makeDriver()
        _ = driver.open()
        _ = driver.answerAll()

        XCTAssertEqual(driver.renew(), ["unsubscribe from c2"])
        XCTAssertEqual(driver.answer(nil), ["subscribe to c2"])
        XCTAssertEqual(driver.answer(nil), [])
        XCTAssertFalse(driver.session.isSubscribed)
    }

    func testQueue_whenTheAdapterWantsMoreThanAnyDoes_isBounded() throws {
        var profile = PulseProfile()
        profile.reads = (0..<1_000).map { BluetoothUUID(0x3000 + UInt16($0)) }
        let many = profile.reads.enumerated().map { index, uuid in
            BlueZCharacteristic(
                path: "r\(index)", service: profile.service, uuid: uuid, flags: ["read"])
        }
        var driver = try makeDriver([profile], with: many + BlueZCharacteristic.strap)
        _ = driver.open()

        let asked = driver.answerAll()

        XCTAssertEqual(asked.filter { $0.hasPrefix("read") }.count, GATTRequests.limit)
        XCTAssertEqual(asked.suffix(2), ["subscribe to c2", "subscribe to c4"])
    }

    func testRandomValuesAndAnswers_keepOneQuestionAtATime() throws {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<300 * FuzzFactor.current {
            var driver = try makeDriver(
                [PulseProfile.writing], with: BlueZCharacteristic.strap + [.control])
            _ = driver.open()
            for _ in 0..<40 { step(&driver, &generator) }
            XCTAssertFalse(driver.hasOverlappingRequests, "round \(round)")
            for _ in 0..<20 where !driver.session.isReady {
                _ = driver.pass(1)
                _ = driver.answerAll()
            }
            XCTAssertTrue(driver.session.isReady, "round \(round)")
        }
    }

    private func step(_ driver: inout GATTSessionDriver, _ generator: inout SeededGenerator) {
        let count = Int.random(in: 0...6, using: &generator)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let path = "c\(Int.random(in: 0...6, using: &generator))"
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: _ = driver.receive(bytes, from: path)
        case 1: _ = driver.battery(bytes.first ?? 0)
        case 2: _ = driver.answer(nil, isBusy: count > 3)
        case 3: _ = driver.pass(0.1)
        case 4: _ = driver.probe()
        case 5: _ = driver.renew()
        default: _ = driver.answer(bytes)
        }
    }
}
