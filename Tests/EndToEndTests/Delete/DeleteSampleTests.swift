import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// `pulsegate delete sample`: what is selected, previewed, confirmed and deleted.
final class DeleteSampleTests: XCTestCase {
    private func filledHome() async throws -> Home {
        let home = try Home()
        try await home.fill(
            (0..<10).map { try Home.heartRate($0) }
                + (10..<14).map { try Home.heartRate($0, person: "bob", source: "band") }
                + (20..<22).map { try Home.heartRate($0, person: nil, device: "watch") }
                + [Home.bloodPressure(30), Home.bloodPressure(31, person: "bob")])
        return home
    }

    func testPipe_withoutYes_isRefused_andDeletesNothing() async throws {
        let home = try await filledHome()
        let outcome = try await home.run("delete", "sample", "heartRate")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertEqual(outcome.output, "")
        XCTAssertTrue(outcome.error.contains("add --yes"), outcome.error)
        let json = try await home.run("delete", "sample", "heartRate", "--json")
        XCTAssertEqual(json.ending, .exited(64))
        XCTAssertTrue(json.error.contains("--json requires --yes or --dry-run"), json.error)
        let count = try await home.count("heartRate")
        XCTAssertEqual(count, 16)
    }

    func testDryRun_printsWhatYesDeletes() async throws {
        let home = try await filledHome()
        let words = ["delete", "sample", "heartRate", "bloodPressureSystolic"]
        let preview = try await home.run(words + ["--dry-run"])
        XCTAssertEqual(preview.ending, .exited(0), preview.error)
        XCTAssertTrue(preview.error.contains("22 records would be deleted"), preview.error)
        let rows = preview.output.split(separator: "\n")
        XCTAssertEqual(rows.count, 1 + 3 + 2 + 4, preview.output)
        let own = "heartRate *me *10 *2026-01-01 00:00 *2026-01-01 00:09 *selected"
        XCTAssertNotNil(
            preview.output.range(of: own, options: .regularExpression), preview.output)
        let left = try await home.count("heartRate")
        XCTAssertEqual(left, 16)

        let deleted = try await home.run(words + ["--yes"])
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        XCTAssertEqual(deleted.output, preview.output + "22 records deleted\n")
        XCTAssertEqual(deleted.error, "")
        for type in ["heartRate", "bloodPressure", "bloodPressureDiastolic"] {
            let count = try await home.count(type)
            XCTAssertEqual(count, 0, type)
        }
        let again = try await home.run(words + ["--yes"])
        XCTAssertEqual(again.ending, .exited(0))
        XCTAssertEqual(again.output, "")
        XCTAssertEqual(
            again.error, "pulsegate: no heartRate, bloodPressureSystolic samples found\n")
    }

    func testConditions_selectAsQueryDoes() async throws {
        let cases: [(words: [String], left: Int)] = [
            (["--from", "2026-01-01T00:05Z"], 5),
            (["--to", "2026-01-01T00:05Z"], 11),
            (["--from", "2026-01-01T00:02Z", "--to", "2026-01-01T00:04Z"], 14),
            (["--period", "2026-01-02"], 16), (["--period", "2026-01"], 0),
            (["--person", "bob"], 12),
            (["--device", "WATCH"], 14), (["--source", "band"], 12), (["--source", "none"], 16),
            (["--source", "straps", "--person", "bob"], 16),
        ]
        for (words, left) in cases {
            let home = try await filledHome()
            let outcome = try await home.run(
                ["delete", "sample", "heartRate", "--yes"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), "\(words): \(outcome.error)")
            let count = try await home.count("heartRate")
            XCTAssertEqual(count, left, "\(words)")
        }
    }

    func testIDs_areDeleted_withWhatBelongsToThem() async throws {
        let home = try await filledHome()
        let (sample, pressure) = (try Home.heartRate(3), try Home.bloodPressure(30))
        let outcome = try await home.run(
            "delete", "sample", "\(sample.id)", "\(pressure.id)", "--yes", "--json")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let object =
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        XCTAssertEqual(object?["deleted"] as? Bool, true)
        XCTAssertEqual(object?["count"] as? Int, 4)
        XCTAssertEqual((object?["records"] as? [Any])?.count, 4)
        let counts = [
            try await home.count("heartRate"), try await home.count("bloodPressure"),
            try await home.count("bloodPressureSystolic"),
        ]
        XCTAssertEqual(counts, [15, 1, 1])
    }

    func testWrongWords_areRefused_andDeleteNothing() async throws {
        let home = try await filledHome()
        let known = try Home.heartRate(3).id
        let unknown = try Home.heartRate(99).id
        let second = try Home.heartRate(98).id
        let cases: [(words: [String], message: String)] = [
            ([], "TYPE|ID is required"), (["heartrate"], "did you mean `heartRate`?"),
            (["workout"], "use `pulsegate delete workout ID`"),
            (["\(unknown)"], "no sample with the id \(unknown) found"),
            (["\(known)", "\(unknown)"], "no sample with the id \(unknown) found"),
            (
                ["\(unknown)", "\(known)", "\(second)"],
                "no samples with the ids \(second), \(unknown) found"
            ),
            (["\(known)", "heartRate"], "types and ids exclude each other"),
            (["\(known)", "--from", "5m"], "--from is valid only with a TYPE"),
            (["heartRate", "--dry-run"], "--yes and --dry-run exclude each other"),
            (["heartRate", "--form", "5m"], "did you mean `--from`?"),
            (["heartRate", "--from", "someday"], "--from"),
        ]
        for (words, message) in cases {
            let outcome = try await home.run(["delete", "sample", "--yes"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertEqual(outcome.output, "", "\(words)")
            XCTAssertTrue(outcome.error.contains(message), "\(words): \(outcome.error)")
        }
        let action = try await home.run("delete", "samples", "heartRate", "--yes")
        XCTAssertEqual(action.ending, .exited(64))
        XCTAssertTrue(action.error.contains("`sample`"), action.error)
        let count = try await home.count("heartRate")
        XCTAssertEqual(count, 16)
    }

    func testWithoutAStore_fails_andCreatesNone() async throws {
        let home = try Home()
        let outcome = try await home.run("delete", "sample", "heartRate", "--yes")
        XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: home.dataDirectory))
    }

    // MARK: At a terminal

    func testQuestion_deletesOnlyAfterYes() async throws {
        let home = try await filledHome()
        let pane = try await TerminalPane(home, columns: 100, rows: 24)
        func waitForQuestion() async throws {
            // The screen before the command may show an earlier question.
            try await pane.wait(for: "the question") {
                $0.last { !$0.isEmpty } == "Delete 4 records? [y/N]"
            }
        }
        for answer in ["n", "", "yess", "delete"] {
            try await pane.run("clear; pulsegate delete sample heartRate --person bob")
            try await waitForQuestion()
            try await pane.type(answer)
            try await pane.press("Enter")
            let screen = try await pane.waitForText("cancelled; nothing is deleted")
            XCTAssertTrue(screen.contains { $0.contains("heartRate  bob         4") }, "\(screen)")
        }
        // ^C and ^D end the command.
        for key in ["C-c", "C-d"] {
            try await pane.run("clear; pulsegate delete sample heartRate --person bob; echo $? end")
            try await waitForQuestion()
            try await pane.press(key)
            try await pane.waitForText(key == "C-d" ? "1 end" : "[y/N] ^C")
            guard key == "C-d" else { continue }
            let screen = try await pane.screen()
            XCTAssertTrue(screen.contains("Delete 4 records? [y/N]"), "\(screen)")
            XCTAssertTrue(screen.contains("pulsegate: cancelled; nothing is deleted"), "\(screen)")
        }
        let unchanged = try await home.count("heartRate")
        XCTAssertEqual(unchanged, 16)
        try await pane.run("clear; pulsegate delete sample heartRate --person bob; echo $? end")
        try await waitForQuestion()
        try await pane.type("Y")
        try await pane.press("Enter")
        try await pane.waitForText("4 records deleted")
        try await pane.waitForText("0 end")
        let left = try await home.count("heartRate")
        XCTAssertEqual(left, 12)
    }
}
