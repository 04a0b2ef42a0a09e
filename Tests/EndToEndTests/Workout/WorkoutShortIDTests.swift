import GatewayTesting
import XCTest

/// The short ids of lists: commands accept each of them.
final class WorkoutShortIDTests: XCTestCase {
    /// A workout of a time whose id begins as those of the seconds around it.
    private func line(_ number: Int, _ person: String, second: Int) -> String {
        let time = "2026-11-21T18:15:0\(second)"
        return """
            {"kind":"workout","id":"0198f3c2-000\(number)-8000-8000-000000000001","activity":"running",\
            "start":"\(time)Z","end":"2026-11-21T18:25:00Z","person":"\(person)"}

            """
    }

    func testAShortIDOfAList_isAccepted_alsoWhenOthersAreNotListed() async throws {
        let home = try Home()
        for person in ["ada", "bob"] {
            let outcome = try await home.run("people", "set", person, "--sex", "female")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        let lines = line(1, "ada", second: 1) + line(2, "bob", second: 2)
        try home.folder.write(Array(lines.utf8), to: "two.ndjson")
        let imported = try await home.run(
            "import", home.folder.path("two.ndjson"), "--person", "ada")
        XCTAssertEqual(imported.ending, .exited(0), imported.error)
        for list in [
            ["workout", "list", "--person", "ada"], ["workout", "list", "--limit", "1"],
            ["search", "ada"], ["search", "running", "--limit", "1"],
        ] {
            let text = try await home.run(list)
            let row = try XCTUnwrap(
                text.output.split(separator: "\n").first { $0.contains("running") }, "\(list)")
            let id = try XCTUnwrap(row.split(separator: " ").first { $0.hasPrefix("0198f3c2") })
            let shown = try await home.run("workout", "show", String(id))
            XCTAssertEqual(shown.ending, .exited(0), "\(list): \(shown.error)")
        }
    }
}
