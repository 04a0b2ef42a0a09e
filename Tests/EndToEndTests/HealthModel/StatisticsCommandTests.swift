import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import SQLiteStore
import XCTest

/// `statistics` and `summary` on a store whose samples are known.
final class StatisticsCommandTests: XCTestCase {
    private static let pod = Device(name: "Pod", localIdentifier: "/dev/pod")
    private static let phone = Device(name: "Phone", localIdentifier: "phone")

    private func sample(
        _ type: QuantityType, _ value: Double, _ start: String, _ end: String? = nil,
        _ device: Device? = pod, person: String? = "me"
    ) throws -> QuantitySample {
        let start = try XCTUnwrap(Instant(iso8601: start))
        return try QuantitySample(
            id: RecordID.make(
                start: start, device: device?.localIdentifier ?? "", stream: type.name,
                key: UInt64(value)),
            type: type, start: start,
            end: try end.map { try XCTUnwrap(Instant(iso8601: $0)) } ?? start,
            quantity: Quantity(value, type.canonicalUnit), person: person, device: device)
    }

    private func home(
        _ samples: [QuantitySample], zone: String = "UTC", configuration: String? = nil
    ) async throws -> Home {
        var home = try Home()
        home.environment["TZ"] = zone
        try home.folder.makeFolder("data/pulsegate")
        if let configuration { try home.configure(configuration) }
        let store = try SQLiteStore(path: "\(home.dataDirectory)/health.sqlite")
        _ = try await store.save(samples.map { .sample($0) })
        return home
    }

    private func rows(_ outcome: Home.Outcome) throws -> [[String: Any]] {
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        return try outcome.output.split(separator: "\n").map {
            let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
            return try XCTUnwrap(object as? [String: Any])
        }
    }

    // MARK: Days

    /// Ten days around the change of the clocks, three of them empty; a pod and a phone count the same
    /// steps, and a walk lies across midnight.
    private func march() async throws -> Home {
        var samples: [QuantitySample] = []
        for day in ["03-24", "03-25", "03-26", "03-28", "03-29", "04-01", "04-02"] {
            let offset = day < "03-29" ? "+01:00" : "+02:00"
            let start = "2026-\(day)T08:00:00\(offset)"
            samples += [
                try sample(.stepCount, 1_000, start, "2026-\(day)T09:00:00\(offset)"),
                try sample(
                    .stepCount, 2_400, start, "2026-\(day)T10:00:00\(offset)", Self.phone),
                try sample(
                    .distanceWalkingRunning, 1_500, start, "2026-\(day)T09:00:00\(offset)"),
            ]
        }
        samples.append(
            try sample(.stepCount, 60, "2026-03-28T23:30:00+01:00", "2026-03-29T00:30:00+01:00"))
        let roles = """
            { devices: { "/dev/pod": { role: "primary" }, phone: { role: "backup" } } }
            """
        return try await home(samples, zone: "Europe/Berlin", configuration: roles)
    }

    func testDays_acrossTheMarchChange_haveTheirOwnStepsAndNoneTwice() async throws {
        let home = try await march()
        let rows = try rows(
            await home.run(
                "statistics", "stepCount", "--every", "1d", "--from", "2026-03-24", "--to",
                "2026-04-03", "--format", "ndjson"))
        XCTAssertEqual(
            rows.map { $0["sum"] as? Double },
            [2_200, 2_200, 2_200, nil, 2_230, 2_230, nil, nil, 2_200, 2_200])
        XCTAssertEqual(rows[4]["start"] as? String, "2026-03-27T23:00:00.000Z")
        XCTAssertEqual(rows[5]["start"] as? String, "2026-03-28T23:00:00.000Z")
        XCTAssertEqual(rows[5]["end"] as? String, "2026-03-29T22:00:00.000Z")
    }

    func testHours_ofTheMarchChange_are23_andAddUpToTheDay() async throws {
        let home = try await march()
        let rows = try rows(
            await home.run(
                "statistics", "stepCount", "--every", "1h", "--from", "2026-03-29", "--to",
                "2026-03-30", "--format", "ndjson"))
        XCTAssertEqual(rows.count, 23)
        XCTAssertEqual(rows.reduce(0) { $0 + ($1["sum"] as? Double ?? 0) }, 2_230)
    }

    func testMonth_dividesByTheDaysWithSamples_andReportsThem() async throws {
        let home = try await march()
        let outcome = try await home.run("summary", "month", "--date", "2026-04-03")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let lines = outcome.output.split(separator: "\n")
        XCTAssertEqual(lines[0], "From 2026-03-03 to 2026-04-02, 31 days")
        let words = lines.dropFirst(2).map { $0.split(separator: " ").map(String.init) }
        XCTAssertEqual(
            words[0], ["stepCount", "2209", "count", "7", "of", "31"])
        XCTAssertEqual(
            words[1], ["distanceWalkingRunning", "1.5", "km", "7", "of", "31"])
        XCTAssertEqual(
            words[2], ["flightsClimbed", "-", "-", "none"])
    }

    // MARK: Summaries of hours

    func testRebuild_changesNoStatistics() async throws {
        let home = try await march()
        let calls = [["--every", "1d"], ["--every", "1h"], ["--per-source"], []].flatMap { words in
            ["stepCount", "distanceWalkingRunning"].map { type in
                ["statistics", type, "--from", "2026-03-24", "--format", "ndjson"] + words
            }
        }
        var before: [[[String: Any]]] = []
        for words in calls { before.append(try rows(await home.run(words))) }
        let rebuild = try await home.run("summary", "rebuild")
        // The pod's hour, the two hours of the phone and the walk; the hours of the newest samples are
        // left out.
        XCTAssertEqual(
            rebuild.output, "calculated the statistics of 20 hours of 2 types\n", rebuild.error)
        for (words, before) in zip(calls, before) {
            let after = try rows(await home.run(words))
            XCTAssertEqual(before.count, after.count)
            for (one, other) in zip(before, after) {
                for key in ["count", "sum", "seconds"] {
                    let (one, other) = (one[key] as? Double, other[key] as? Double)
                    XCTAssertEqual(one ?? -1, other ?? -1, accuracy: 1e-9, "\(words) \(key)")
                }
                XCTAssertEqual(one["source"] as? String, other["source"] as? String)
            }
        }
    }

    func testRebuild_namesATypeWithASampleThatIsTooLong() async throws {
        let home = try await home([
            try sample(.stepCount, 9, "2026-08-01T00:00:00Z", "2026-08-08T00:00:01Z"),
            try sample(.flightsClimbed, 9, "2026-08-01T00:00:00Z", "2026-08-08T00:00:00Z"),
        ])
        let rebuild = try await home.run("summary", "rebuild")
        XCTAssertEqual(rebuild.ending, .exited(0), rebuild.error)
        XCTAssertEqual(
            rebuild.error,
            "pulsegate: note: stepCount has or had a sample longer than 7 days, so there are no statistics "
                + "of its hours; commands read its samples instead, which takes longer\n")
    }

    func testRebuild_withoutAStore_createsNone() async throws {
        let home = try Home()
        let outcome = try await home.run("summary", "rebuild")
        XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
        XCTAssertTrue(outcome.error.contains("no store"), outcome.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: home.dataDirectory))
    }

    func testSources_eachAlone_areNotMerged() async throws {
        let home = try await march()
        let rows = try rows(
            await home.run(
                "statistics", "stepCount", "--from", "2026-03-24", "--to", "2026-03-25",
                "--per-source", "--format", "ndjson"))
        XCTAssertEqual(rows.map { $0["source"] as? String }, ["Phone", "Pod"])
        XCTAssertEqual(rows.map { $0["sum"] as? Double }, [2_400, 1_000])
    }

    /// Which device is the better one does not depend on the time that is looked at.
    func testSum_ofADay_isTheSameInEveryWindow() async throws {
        let home = try await home([
            try sample(
                .stepCount, 5_000, "2026-08-01T09:00:00Z", "2026-08-01T11:00:00Z", Self.phone),
            try sample(.stepCount, 1_000, "2026-08-01T10:00:00Z", "2026-08-01T11:00:00Z"),
            try sample(.stepCount, 10, "2026-08-02T10:00:00Z", "2026-08-02T11:00:00Z", Self.phone),
        ])
        for (end, expected) in [("2026-08-02", 3_500.0), ("2026-08-03", 3_500)] {
            let rows = try rows(
                await home.run(
                    "statistics", "stepCount", "--every", "1d", "--from", "2026-08-01", "--to",
                    end, "--format", "ndjson"))
            XCTAssertEqual(rows[0]["sum"] as? Double, expected)
        }
    }

    func testPreferredUnits_areThoseOfTheOnlyPerson() async throws {
        let home = try await home([
            try sample(.bodyMass, 80, "2026-11-01T00:00:00Z"),
            try sample(
                .distanceWalkingRunning, 1_609.344, "2026-11-01T10:00:00Z",
                "2026-11-01T11:00:00Z"),
        ])
        _ = try await home.run(
            "people", "set", "me", "--units", "bodyMass=lb,distanceWalkingRunning=mi")
        let table = try await home.run("statistics", "bodyMass")
        XCTAssertTrue(table.output.contains("176.37"), table.output)
        let month = try await home.run("summary", "month", "--date", "2026-11-10")
        XCTAssertTrue(month.output.contains("1  mi "), month.output)
        let json = try await home.run("statistics", "bodyMass", "--format", "ndjson")
        XCTAssertTrue(json.output.contains(#""average":80"#), json.output)
    }

    // MARK: Readings

    func testHeartRates_haveAnAverageOverTime_inTheUnitThatIsAskedFor() async throws {
        let home = try await home([
            try sample(.heartRate, 60, "2026-11-21T10:00:00Z"),
            try sample(.heartRate, 120, "2026-11-21T10:01:00Z"),
            try sample(.heartRate, 120, "2026-11-21T10:04:00Z"),
        ])
        let row = try rows(
            await home.run(
                "statistics", "heartRate", "--unit", "count/s", "--format", "ndjson", "--from",
                "2026-11-21", "--to", "2026-11-22"))[0]
        // A minute at 90 and three at 120.
        XCTAssertEqual(try XCTUnwrap(row["average"] as? Double), 112.5 / 60, accuracy: 1e-12)
        XCTAssertEqual(row["minimum"] as? Double, 1)
        XCTAssertEqual(row["maximum"] as? Double, 2)
        XCTAssertEqual(row["unit"] as? String, "count/s")
        XCTAssertNil(row["sum"])
        let table = try await home.run("statistics", "heartRate", "--every", "1h")
        XCTAssertTrue(table.output.contains("2026-11-21 10:00        3    112.5"), table.output)
    }

    func testFormats_areReadByOthers() async throws {
        let home = try await home([try sample(.heartRate, 60, "2026-11-21T10:00:00Z")])
        let words = ["statistics", "heartRate", "--every", "1d", "--format"]
        let json = try await home.run(words + ["json"])
        let list = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [Any]
        XCTAssertGreaterThan(try XCTUnwrap(list).count, 0)
        let csv = try await home.run(words + ["csv"])
        let lines = csv.output.split(separator: "\r\n")
        XCTAssertEqual(
            Set(lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }),
            [12])
        let none = try await home.run("statistics", "stepCount", "--format", "json")
        XCTAssertEqual(none.ending, .exited(0))
        XCTAssertEqual(none.output, "[]\n")
        XCTAssertTrue(none.error.contains("no stepCount samples found"), none.error)
    }

    func testTable_withoutSamples_isANoteAlone_andProgramsGetTheSteps() async throws {
        let home = try await home([try sample(.heartRate, 60, "2026-11-21T10:00:00Z")])
        let words = [
            "statistics", "heartRate", "--every", "1h", "--from", "2026-11-20", "--to",
            "2026-11-21",
        ]
        let table = try await home.run(words)
        XCTAssertEqual(table.ending, .exited(0))
        XCTAssertEqual(table.output, "")
        XCTAssertEqual(table.error, "pulsegate: no heartRate samples found\n")
        let lines = try await home.run(words + ["--format", "ndjson"])
        XCTAssertEqual(lines.output.split(separator: "\n").count, 24)
    }

    func testCategoryType_isExplained() async throws {
        let outcome = try await Home().run("statistics", "sleepAnalysis")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(
            outcome.error.contains("sleepAnalysis is not a quantity type"), outcome.error)
        XCTAssertTrue(outcome.error.contains("`pulsegate query sleepAnalysis`"), outcome.error)
    }

    func testBadWords_areUsageErrors() async throws {
        let home = try await home([try sample(.heartRate, 60, "2000-11-21T10:00:00Z")])
        for words in [
            ["statistics"], ["statistics", "heartRat"],
            ["statistics", "heartRate", "--every", "1"],
            ["statistics", "heartRate", "--every", "0d"],
            ["statistics", "heartRate", "--every", "1m"],
            ["statistics", "heartRate", "--from", "2026-01-02", "--to", "2026-01-01"],
            ["statistics", "heartRate", "--unit", "kg"],
            ["statistics", "heartRate", "--person", "bob"], ["summary"], ["summary", "week"],
            ["summary", "day", "--date", "2999-01-01"], ["summary", "day", "--date", "x"],
            ["summary", "rebuild", "--date", "today"], ["summary", "rebuild", "--json"],
        ] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words): \(outcome.error)")
        }
    }

    // MARK: Energy

    func testDay_withoutMeasuredRest_isEstimatedFromWhatIsKnown_andNeverFromWhatIsNot() async throws
    {
        let samples = [
            try sample(.bodyMass, 80, "2026-01-01T00:00:00Z"),
            try sample(.height, 1.8, "2026-01-01T00:00:00Z"),
            try sample(
                .activeEnergyBurned, 500, "2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z"),
            try sample(
                .dietaryEnergyConsumed, 2_000, "2026-03-01T12:00:00Z", "2026-03-01T12:00:01Z"),
        ]
        let home = try await home(samples)
        let unknown = try await home.run("summary", "day", "--date", "2026-03-01")
        XCTAssertTrue(unknown.output.contains("requires the person's sex"), unknown.output)
        _ = try await home.run(
            "people", "set", "me", "--sex", "male", "--birth-date", "1986-03-01")
        let row = try rows(await home.run("summary", "day", "--date", "2026-03-01", "--json"))[0]
        // 10 · 80 + 6.25 · 180 − 5 · 40 + 5 (Mifflin, St Jeor 1990).
        XCTAssertEqual(row["resting"] as? Double, 1_730)
        XCTAssertEqual(row["restingIs"] as? String, "estimated")
        XCTAssertEqual(row["balance"] as? Double, 230)
    }

    func testDay_withRestOfAPartOfTheTime_isCompletedByTheEstimate() async throws {
        let samples = [
            try sample(.bodyMass, 80, "2026-01-01T00:00:00Z"),
            try sample(.height, 1.8, "2026-01-01T00:00:00Z"),
            try sample(.basalEnergyBurned, 800, "2026-03-01T00:00:00Z", "2026-03-01T12:00:00Z"),
        ]
        let home = try await home(samples)
        let words = ["summary", "day", "--date", "2026-03-01", "--json"]
        let alone = try rows(await home.run(words))[0]
        XCTAssertEqual(alone["restingIs"] as? String, "partial")
        XCTAssertEqual(alone["resting"] as? Double, 800)
        _ = try await home.run(
            "people", "set", "me", "--sex", "male", "--birth-date", "1986-03-01")
        let row = try rows(await home.run(words))[0]
        XCTAssertEqual(row["restingIs"] as? String, "completed")
        XCTAssertEqual(row["resting"] as? Double, 800 + 865)
    }

    func testDay_withMeasuredRest_isMeasured() async throws {
        let home = try await home([
            try sample(.basalEnergyBurned, 1_600, "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z")
        ])
        let row = try rows(await home.run("summary", "day", "--date", "2026-03-01", "--json"))[0]
        XCTAssertEqual(row["restingIs"] as? String, "measured")
        XCTAssertEqual(row["balance"] as? Double, 1_600)
        XCTAssertNil(row["active"])
    }
}
