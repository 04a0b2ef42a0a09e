import GatewayTesting
import XCTest

/// `--format` and `--json` of the commands that list or report.
final class FormatTests: XCTestCase {
    private static let workout = """
        {"kind":"workout","id":"0199aaaa-0000-8000-8000-000000000001","activity":"rowing",\
        "start":"2026-11-21T18:15:00Z","end":"2026-11-21T18:45:00Z","person":"me"}

        """

    private func home() async throws -> Home {
        let home = try Home()
        try home.folder.write(Array(Self.workout.utf8), to: "workouts.ndjson")
        let outcome = try await home.run("import", home.folder.path("workouts.ndjson"))
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        return home
    }

    func testFormats_areThoseOfEachCommand() async throws {
        let home = try await home()
        let cases: [(words: [String], csv: String, json: String, lines: Int)] = [
            (["people", "list"], "name,birthDate,age,", #"{"people":[{"name":"me""#, 1),
            (["secret", "list"], "name,set\r\n", "[]\n", 0),
            (["access", "list"], "client,purpose,read,share,manage\r\n", #"{"clients":[]}"#, 0),
            (["summary", "month"], "from,to,person,days,type,", #"{"from":"#, 3),
            (["summary", "day"], "date,person,start,end,", #"{"date":"#, 1),
            (["workout", "list"], "id,activity,location,", "[\n{\"kind\":\"workout\"", 1),
            (["workout", "show"], "time_iso8601_utc,", #"{"kind":"workout""#, 1),
            (["plugins", "hxm"], "kind,name,summary,types\r\n", "[\n{\"kind\":", 1),
            (
                ["statistics", "stepCount", "--period", "today"],
                "type,start,end,source,count,", "[\n{\"type\":\"stepCount\"", 1
            ),
        ]
        for (words, header, start, count) in cases {
            let csv = try await home.run(words + ["--format", "csv"])
            XCTAssertTrue(csv.output.hasPrefix(header), "\(words): \(csv.output)\(csv.error)")
            let json = try await home.run(words + ["--json"])
            XCTAssertTrue(json.output.hasPrefix(start), "\(words): \(json.output)\(json.error)")
            let lines = try await home.run(words + ["--format", "ndjson"])
            let objects = lines.output.split(separator: "\n")
            XCTAssertEqual(objects.count, count, "\(words): \(lines.output)")
            XCTAssertTrue(objects.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(words)")
        }
    }

    func testContradictionsAndUnknownFormats_areUsageErrors() async throws {
        let home = try Home()
        let cases: [(words: [String], message: String)] = [
            (["people", "list", "--json", "--format", "csv"], "contradicts --format csv; remove"),
            (["workout", "list", "--format", "cvs"], "did you mean `csv`?"),
            (["people", "set", "ada", "--format", "csv"], "--format is valid only for"),
            (["summary", "rebuild", "--format", "csv"], "--format is not an option of rebuild"),
            (["tap", "--format", "csv"], "--format csv requires --type"),
        ]
        for (words, message) in cases {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(message), "\(words): \(outcome.error)")
            XCTAssertEqual(outcome.output, "")
        }
    }
}
