import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import JournalLog
import Serial
import XCTest

/// `add`: values that a person enters, with a running gateway and without one.
final class EntryTests: XCTestCase {
    private func assertDone(_ outcome: Home.Outcome, line: UInt = #line) {
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
        XCTAssertEqual(outcome.error, "", line: line)
    }

    private func first(_ type: QuantityType, in home: Home) async throws -> QuantitySample {
        let samples = try await home.samples(of: type)
        return try XCTUnwrap(samples.first)
    }

    // MARK: What is entered

    func testPounds_areKilogramsWhenAskedFor() async throws {
        let home = try Home()
        assertDone(try await home.run("add", "bodyMass", "154", "lb"))
        let table = try await home.run("query", "bodyMass", "--unit", "kg")
        XCTAssertTrue(table.output.contains(" 69.85 kg"), table.output)
        let sample = try await first(.bodyMass, in: home)
        XCTAssertEqual(sample.quantity.value, 154)
        XCTAssertEqual(sample.metadata[.wasUserEntered], true)
        XCTAssertEqual(sample.person, "me")
        XCTAssertEqual(try home.ledger().imbalances, [])
    }

    func testUnitThatDoesNotFit_isRejectedNamingTypeAndUnit() async throws {
        let home = try Home()
        let outcome = try await home.run("add", "bodyMass", "70", "in")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("`in` is not a unit of bodyMass"), outcome.error)
        XCTAssertNotEqual(access(home.dataDirectory, F_OK), 0, "nothing is made")
    }

    /// A percentage is a fraction: 97 % is 0.97.
    func testOxygenSaturation_of97Percent_isStoredAs0_97AndShownAs97() async throws {
        let home = try Home()
        let refused = try await home.run("add", "oxygenSaturation", "97", "%")
        XCTAssertEqual(refused.ending, .exited(64))
        XCTAssertTrue(refused.error.contains("write 97 % as 0.97 %"), refused.error)

        assertDone(try await home.run("add", "oxygenSaturation", "0.97", "%"))
        let table = try await home.run("query", "oxygenSaturation")
        XCTAssertTrue(table.output.contains(" 97 % "), table.output)
        let csv = try await home.run("query", "oxygenSaturation", "--format", "csv")
        XCTAssertTrue(csv.output.contains(",0.97,%,"), csv.output)
        for format in ["json", "ndjson"] {
            let text = try await home.run("query", "oxygenSaturation", "--format", format)
            XCTAssertTrue(text.output.contains(#""value":0.97,"unit":"%""#), text.output)
        }
    }

    func testUnitWithTwoDivisions_isAUsageErrorThatSuggestsAnother() async throws {
        let outcome = try await Home().run("query", "vo2Max", "--unit", "ml/kg/min")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("one /"), outcome.error)
        XCTAssertTrue(outcome.error.contains("mL/min·kg"), outcome.error)
    }

    func testCounts_coverATime_andReadingsDoNot() async throws {
        let home = try Home()
        assertDone(
            try await home.run(
                "add", "stepCount", "600", "count", "--from", "2026-11-21T10:00", "--at",
                "2026-11-21T10:10"))
        assertDone(
            try await home.run(
                "add", "dietaryEnergyConsumed", "650", "kcal", "--at", "2026-11-21T13:00"))
        let steps = try await first(.stepCount, in: home)
        XCTAssertEqual(steps.end.nanoseconds(since: steps.start), 600_000_000_000)
        let meal = try await first(.dietaryEnergyConsumed, in: home)
        XCTAssertEqual("\(meal.start)", "2026-11-21T13:00:00.000Z")
        XCTAssertEqual(meal.end.nanoseconds(since: meal.start), 1_000_000_000)
        let bad = try await home.run(
            "add", "stepCount", "600", "count", "--from", "2026-11-21", "--at", "2026-11-21")
        XCTAssertEqual(bad.ending, .exited(64))
    }

    func testOutput_showsTheTimeAsItWasGiven() async throws {
        let home = try Home()
        for (words, time) in [
            (["dietaryEnergyConsumed", "650", "kcal"], "2026-11-21 13:00"),
            (
                ["stepCount", "600", "count", "--from", "2026-11-21T12:50"],
                "2026-11-21 12:50 to 2026-11-21 13:00"
            ),
            (["bodyMass", "81", "kg"], "2026-11-21 13:00"),
        ] {
            let outcome = try await home.run(["add"] + words + ["--at", "2026-11-21T13:00"])
            assertDone(outcome)
            XCTAssertTrue(outcome.output.hasSuffix("\(words[2]), \(time)\n"), outcome.output)
        }
    }

    func testCommonNameOfAUnit_isStoredAsTheUnit() async throws {
        let home = try Home()
        for (words, added) in [
            (["heartRate", "72", "bpm"], "heartRate 72 count/min"),
            (["stepCount", "72", "Steps"], "stepCount 72 count"),
            (["bodyTemperature", "37", "°C"], "bodyTemperature 37 degC"),
            (["bodyMass", "154", "lbs"], "bodyMass 154 lb"),
        ] {
            let outcome = try await home.run(["add"] + words)
            assertDone(outcome)
            XCTAssertTrue(outcome.output.contains("added \(added), "), outcome.output)
        }
        let sample = try await first(.bodyMass, in: home)
        XCTAssertEqual(sample.quantity.unit.string, "lb")
        let query = try await home.run("query", "bodyTemperature", "--unit", "F", "--latest")
        XCTAssertTrue(query.output.contains(" 98.6 degF"), query.output)
    }

    func testUnitOfSeveralMeanings_isRejectedNamingTheUnit() async throws {
        let home = try Home()
        for (words, expected) in [
            (
                ["heartRate", "72", "min"],
                "`min` is not a unit of heartRate; did you mean `count/min`?"
            ),
            (["dietaryEnergyConsumed", "650", "calories"], "did you mean `kcal`?"),
            (["oxygenSaturation", "97", "percent"], "did you mean `%`?"),
            (["oxygenSaturation", "97", "%"], "write 97 % as 0.97 %"),
            (
                ["bodyMass", "72", "bpm"],
                "`bpm` is not a unit of bodyMass; expected a unit such as `kg`"
            ),
            (
                ["bodyMass", "72", "kgg"],
                "`kgg` is not a unit of bodyMass; did you mean `kg`?"
            ),
            (["sleepAnalysis", "1", "count"], "sleepAnalysis is not a quantity type"),
        ] {
            let outcome = try await home.run(["add"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), outcome.error)
        }
    }

    func testLocalTime_thatDoesNotExist_isRejected_andTheFirstOfTwoIsUsed() async throws {
        var home = try Home()
        home.environment["TZ"] = "Europe/Berlin"
        for option in ["--at", "--from"] {
            let skipped = try await home.run(
                "add", "stepCount", "9", "count", option, "2026-03-29T02:30")
            XCTAssertEqual(skipped.ending, .exited(64))
            XCTAssertTrue(
                skipped.error.contains(
                    "\(option): the local time 2026-03-29T02:30 does not exist"), skipped.error)
        }
        let twice = try await home.run("add", "bodyMass", "81", "kg", "--at", "2026-10-25 02:30")
        XCTAssertEqual(twice.ending, .exited(0), twice.error)
        XCTAssertTrue(twice.error.contains("the second is 2026-10-25 02:30+01:00"), twice.error)
        assertDone(
            try await home.run("add", "bodyMass", "82", "kg", "--at", "2026-10-25 02:30+01:00"))
        let samples = try await home.samples(of: .bodyMass)
        XCTAssertEqual(
            samples.map { "\($0.start)" },
            ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"])
    }

    func testBadWords_areUsageErrors_andNameNoValue() async throws {
        let home = try Home()
        for words in [
            ["add"], ["add", "bodyMass"], ["add", "bodyMass", "81"],
            ["add", "bodyMas", "81", "kg"],
            ["add", "bodyMass", "nan", "kg"], ["add", "bodyMass", "1e400", "kg"],
            ["add", "bodyMass", "8137", "kg"], ["add", "bodyMass", "-8137", "kg"],
            ["add", "bodyMass", "81", "kgg"], ["add", "bodyMass", "81", "kg", "--at", "soon"],
            ["add", "bodyMass", "81", "kg", "--person", "bob"],
            ["add", "bodyMass", "81", "kg", "more"],
        ] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertEqual(outcome.output, "", "\(words)")
            XCTAssertFalse(outcome.error.contains("8137"), outcome.error)
        }
    }

    // MARK: Body-mass index

    func testBodyMassIndex_isCalculatedFromTheLatest_andNotFromTheFuture() async throws {
        let home = try Home()
        let tomorrow = CalendarDate(
            daysSince1970: Int(Date().timeIntervalSince1970) / 86_400 + 1
        )
        let entries = [
            ["height", "1.75", "m", "--at", "2010-05-01"],
            ["height", "1.80", "m", "--at", "2024-05-01"],
            ["bodyMass", "81", "kg", "--at", "1d"],
            ["bodyMass", "70", "kg", "--at", try XCTUnwrap(tomorrow).description],
        ]
        for words in entries.shuffled() {
            let outcome = try await home.run(["add"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertEqual(outcome.error.contains("in the future"), words == entries[3])
        }
        let outcome = try await home.run("add", "bodyMassIndex")
        assertDone(outcome)
        XCTAssertTrue(outcome.output.hasPrefix("added bodyMassIndex 25 count"), outcome.output)
        let sample = try await first(.bodyMassIndex, in: home)
        XCTAssertEqual(sample.quantity.value, 25, accuracy: 1e-12)
        XCTAssertEqual(sample.quantity.unit, HealthModel.Unit.count)
    }

    func testBodyMassIndex_withoutAHeight_savesNothing() async throws {
        let home = try Home()
        assertDone(try await home.run("add", "bodyMass", "81", "kg"))
        let outcome = try await home.run("add", "bodyMassIndex")
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(outcome.error.contains("no height sample"), outcome.error)
        let samples = try await home.samples(of: .bodyMassIndex)
        XCTAssertEqual(samples, [])
    }

    // MARK: A gateway that runs

    func testRunningGateway_acceptsIt_andItsSinksGetIt() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite", lines: "stdout" } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for value in ["60", "61", "62"] {
            assertDone(try await home.run("add", "restingHeartRate", value, "count/min"))
        }
        try await gateway.waitForLines(3, with: "restingHeartRate", on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let samples = try await home.samples(of: .restingHeartRate)
        XCTAssertEqual(samples.map(\.quantity.value), [60, 61, 62])
        XCTAssertEqual(try home.ledger().imbalances, [])
        XCTAssertEqual(try home.ledger().ingest.published, try home.ledger().sinks["store"]?.cursor)
    }

    /// No sink is tried again after the command has ended.
    func testSinkThatCannotWrite_isOneNote_andItsRecordWaits() async throws {
        let home = try Home()
        try home.configure(
            """
            { sinks: { store: "sqlite", repository: { use: "http", url: "http://127.0.0.1:9/" } } }
            """)
        let outcome = try await home.run("add", "bodyMass", "81", "kg")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(outcome.error.split(separator: "\n").count, 1, outcome.error)
        XCTAssertTrue(
            outcome.error.hasPrefix("pulsegate: note: not delivered to repository yet: "),
            outcome.error)
        XCTAssertTrue(
            outcome.error.hasSuffix("; the next gateway delivers it: `pulsegate run`\n"),
            outcome.error)
        XCTAssertEqual(try home.ledger().pending(for: "repository"), 1)
        XCTAssertEqual(try home.ledger().pending(for: "store"), 0)
    }

    func testStandardOutput_isNotASinksWhileACommandUsesIt() async throws {
        let home = try Home()
        try home.configure("{ sinks: { store: \"sqlite\", lines: \"stdout\" } }")
        let outcome = try await home.run("add", "bodyMass", "81", "kg")
        assertDone(outcome)
        XCTAssertFalse(outcome.output.contains("{"), outcome.output)
        // It waits for the gateway that writes there.
        XCTAssertEqual(try home.ledger().pending(for: "lines"), 1)
        XCTAssertEqual(try home.ledger().pending(for: "store"), 0)
    }

    func testManyAtOnce_areAllStoredOnce() async throws {
        let home = try Home()
        try await withThrowingTaskGroup(of: Home.Outcome.self) { group in
            for value in 50..<62 {
                group.addTask { try await home.run("add", "bodyMass", "\(value)", "kg") }
            }
            for try await outcome in group { assertDone(outcome) }
        }
        let samples = try await home.samples(of: .bodyMass)
        XCTAssertEqual(Set(samples.map(\.quantity.value)), Set((50..<62).map(Double.init)))
        XCTAssertEqual(samples.count, 12)
        XCTAssertEqual(try home.ledger().imbalances, [])
    }

    func testStoppedReader_isNotTakenForAFailureOfTheSample() async throws {
        let home = try Home()
        let toFullDisk = ["/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh"]
        let outcome = try await home.run("add", "bodyMass", "81", "kg", prefix: toFullDisk)
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(outcome.error.contains("added, but cannot write"), outcome.error)
        let samples = try await home.samples(of: .bodyMass)
        XCTAssertEqual(samples.count, 1)
    }

    /// The ledger counts over all runs: what one of them could not accept says nothing of this one.
    func testLossOfAnEarlierRun_isNotTakenForOneOfNow() async throws {
        let home = try Home()
        assertDone(try await home.run("add", "bodyMass", "81", "kg"))
        var addition = Ledger.Ingest()
        (addition.unaccepted, addition.converted) = (3, 3)
        let journal = try LogJournalFile(path: "\(home.dataDirectory)/journal", durability: .crash)
        try journal.append(RecordLines([]), addition: addition, at: journal.end(), saving: [:])
        XCTAssertEqual(try home.ledger().ingest.unaccepted, 3)
        assertDone(try await home.run("add", "bodyMass", "82", "kg"))
        let samples = try await home.samples(of: .bodyMass)
        XCTAssertEqual(samples.count, 2)
    }

    func testCustomType_isAddedSilently() async throws {
        let home = try Home()
        try home.configure(
            "{ types: { mySkinTemperature: { aggregationStyle: \"discreteArithmetic\", unit: \"degC\" } } }"
        )
        assertDone(try await home.run("add", "mySkinTemperature", "-3.5", "degC"))
        let table = try await home.run("query", "mySkinTemperature")
        XCTAssertTrue(table.output.contains(" -3.5 degC"), table.output)
    }

    // MARK: Several people

    func testSeveralPeople_haveToBeNamed() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: {}, bob: {} } }")
        let outcome = try await home.run("add", "bodyMass", "81", "kg")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("ada, bob"), outcome.error)
        assertDone(try await home.run("add", "bodyMass", "81", "kg", "--person", "ada"))
        let samples = try await home.samples(of: .bodyMass)
        XCTAssertEqual(samples.map(\.person), ["ada"])
    }

    /// The two spellings of é are one name.
    func testNames_areSpelledAsTheyWereSet() async throws {
        let home = try Home()
        try home.configure("{ people: { ren\u{E9}: {}, bob: {} } }")
        assertDone(
            try await home.run("add", "bodyMass", "81", "kg", "--person", "rene\u{301}"))
        let query = try await home.run("query", "bodyMass", "--person", "ren\u{E9}")
        XCTAssertTrue(query.output.contains(" 81 kg"), query.output)
        let other = try await home.run("query", "bodyMass", "--person", "rene\u{301}")
        XCTAssertTrue(other.output.contains(" 81 kg"), other.output)
    }
}
