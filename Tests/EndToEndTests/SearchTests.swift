import GatewayTesting
import XCTest

/// `search`: devices, people and workouts by words.
final class SearchTests: XCTestCase {
    private static let workouts = """
        {"kind":"workout","id":"0199aaaa-0000-8000-8000-000000000001","activity":"rowing",\
        "start":"2026-11-21T18:15:00Z","end":"2026-11-21T18:45:00Z","person":"ada",\
        "device":{"name":"Strap","manufacturer":"Polar Electro Oy","localIdentifier":"D0:11:22:33:44:55"},\
        "metadata":{"note":"Café on the Seine"}}
        {"kind":"workout","id":"0199bbbb-0000-8000-8000-000000000001","activity":"running",\
        "start":"2026-11-22T18:15:00Z","end":"2026-11-22T18:45:00Z","person":"bob"}

        """

    func testSearch_findsByWords_inEachFormat() async throws {
        let home = try Home()
        try home.folder.write(Array(Self.workouts.utf8), to: "workouts.ndjson")
        for words in [
            ["import", home.folder.path("workouts.ndjson")], ["people", "set", "ada"],
            ["adopt", "D0:11:22:33:44:55", "--person", "ada", "--name", "Blue"],
        ] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }

        let table = try await home.run("search", "ADA", "polar")
        XCTAssertEqual(
            table.output,
            """
            KIND     NAME                     PERSON  ID                 FOUND IN
            device   Blue                     ada     D0:11:22:33:44:55  person ada, manufacturer Polar Electro Oy
            workout  rowing 2026-11-21 18:15  ada     0199aaaa           person ada, manufacturer Polar Electro Oy
            1 of 1 device, 0 of 3 people, 1 of 2 workouts

            """, table.error)
        let lines = try await home.run("search", "cafe seine", "--format", "ndjson")
        XCTAssertEqual(lines.output.split(separator: "\n").count, 1, lines.output)
        XCTAssertTrue(lines.output.contains(#""matches":{"note":"Café on the Seine"}"#))
        let csv = try await home.run("search", "ing", "--in", "workouts", "--format", "csv")
        XCTAssertTrue(csv.output.contains("\r\nworkout,0199bbbb-"), csv.output)
        let list = try await home.run("workout", "list", "ROWING CAFÉ", "--json")
        XCTAssertTrue(list.output.contains("0199aaaa-"), list.output)
        XCTAssertFalse(list.output.contains("0199bbbb-"), list.output)
    }

    func testNothingFound_isANote_withANearWord() async throws {
        let home = try Home()
        let outcome = try await home.run("search", "runing", "--json")
        XCTAssertEqual(outcome.ending, .exited(0))
        XCTAssertTrue(outcome.output.hasPrefix(#"{"hits":[],"#), outcome.output)
        XCTAssertTrue(
            outcome.error.hasPrefix(
                "pulsegate: nothing matches `runing` in 0 devices, 1 person and 0 workouts; "),
            outcome.error)
        XCTAssertTrue(outcome.error.hasSuffix("; did you mean `running`?\n"), outcome.error)
    }
}
