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

    private let writing: PulseProfile = {
        var profile = PulseProfile()
        profile.writes = [GATTWrite([1], to: PulseProfile.control)]
        return profile
    }()
    private let control = BlueZCharacteristic("c5", 0x180D, 0x2A39, ["write"])

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

    func testWrites_areCarriedOutWhereTheDeviceTakesThem() throws {
        for (characteristics, expected) in [
            (BlueZCharacteristic.strap + [control], ["pulse 72", "write to c5"]),
            (BlueZCharacteristic.strap, ["pulse 72"]),
        ] {
            var driver = try makeDriver([writing], with: characteristics)
            _ = driver.open()
            _ = driver.answerAll()
            XCTAssertEqual(driver.receive([72], from: "c2"), expected)
            XCTAssertEqual(driver.receive([73], from: "c2"), ["pulse 73"], "once a minute")
        }
    }

    /// A sensor that ends a measurement soon is asked again, and so is one that has rejected the request.
    func testPersistentWrites_areMadeAgainAMinuteLater() throws {
        var profile = writing
        profile.writes = [GATTWrite([1], to: PulseProfile.control, isPersistent: true)]
        var driver = try makeDriver([profile], with: BlueZCharacteristic.strap + [control])
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
        var profile = writing
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
        var driver = try makeDriver([writing], with: BlueZCharacteristic.strap + [control])
        _ = driver.open()
        for _ in 0..<3 { _ = driver.answer() }

        XCTAssertEqual(driver.receive([72], from: "c2"), ["pulse 72"])
        XCTAssertEqual(driver.answerAll(), ["subscribe to c2", "subscribe to c4", "write to c5"])
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
            var driver = try makeDriver([writing], with: BlueZCharacteristic.strap + [control])
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

/// Tests of profiles whose decoder is a program.
final class GATTSessionProgramTests: XCTestCase {
    private let channel = Channel(program: "pulse")

    private func makeDriver() throws -> GATTSessionDriver {
        var driver = try XCTUnwrap(GATTSessionDriver([ProgramProfile()]))
        XCTAssertEqual(driver.open(), ["program pulse: opened", "read c1"])
        XCTAssertEqual(
            driver.answerAll(),
            ["read c1", "read c3", "read c4", "subscribe to c2", "subscribe to c4"])
        return driver
    }

    func testValue_goesToTheProgram_andShowsNothingAboutTheDevice() throws {
        var driver = try makeDriver()
        XCTAssertEqual(driver.receive([72], from: "c2"), ["program pulse: received [72]"])
        XCTAssertEqual(driver.receive([40], from: "c4"), ["battery 0.4"])
    }

    func testLine_isAReadingADropOrAWrite() throws {
        var driver = try makeDriver()
        XCTAssertEqual(driver.print("72", on: channel), ["pulse 72"])
        XCTAssertEqual(
            driver.print("x", on: channel),
            ["program pulse: rejected no number", "dropped damaged 1"])
        XCTAssertEqual(driver.print("!", on: channel), [])
        XCTAssertEqual(driver.print("72", on: Channel(program: "other")), [])
    }

    func testReadings_beyondTheAllowance_areAFlood() throws {
        var driver = try makeDriver()
        let count = Int(AdapterAllowance.maximumSaved)
        var found: [String] = []
        for _ in 0..<count + 10 { found += driver.print("72", on: channel) }
        XCTAssertLessThanOrEqual(found.count { $0 == "pulse 72" }, count)
        XCTAssertNotEqual(found.last, "pulse 72")
    }
}
