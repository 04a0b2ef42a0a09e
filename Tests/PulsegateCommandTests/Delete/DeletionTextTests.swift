import GatewayHost
import HealthModel
import HealthStore
import HealthTransfer
import SQLiteStore
import Terminal
import XCTest

@testable import PulsegateCommand

/// The preview of a deletion as text, and how a deletion is confirmed.
final class DeletionTextTests: XCTestCase {
    private func group(
        _ kind: RecordKind, _ type: String?, _ person: String?, _ count: Int
    ) -> DeletionGroup {
        let start = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)
        return DeletionGroup(
            kind: kind, type: type, person: person, count: count, start: start,
            end: start.adding(nanoseconds: 5_000_000_000))
    }

    func testSamples_nameTheFirstIDs() {
        let ids = (0..<12).map { RecordID(high: 1, low: $0) }
        XCTAssertEqual(DeletionText.samples([ids[0]]), "sample with the id \(ids[0])")
        XCTAssertEqual(
            DeletionText.samples([ids[0], ids[1]]), "samples with the ids \(ids[0]), \(ids[1])")
        XCTAssertTrue(DeletionText.samples(ids).hasSuffix(", \(ids[9]) and 2 more"))
    }

    func testTable_hasARowForEachTypeAndPerson_sorted() {
        let text = DeletionText(
            DeletionPreview(
                selected: [
                    group(.event, nil, nil, 3), group(.workout, nil, "ada", 1),
                    group(.sample, "heartRate", "bob", 12), group(.sample, "heartRate", nil, 7),
                    group(.sample, "bodyMass", "ada", 1),
                ], together: []))
        let rows = text.table(.plain).split(separator: "\n").map {
            $0.split(separator: " ").prefix(3)
        }
        XCTAssertEqual(
            rows,
            [
                ["TYPE", "PERSON", "COUNT"], ["bodyMass", "ada", "1"], ["heartRate", "-", "7"],
                ["heartRate", "bob", "12"], ["workout", "ada", "1"], ["deviceEvent", "-", "3"],
            ])
        XCTAssertFalse(text.table(.plain).contains("REASON"))
    }

    func testTable_namesTheReason_onlyOfWhatIsDeletedTogether() {
        let text = DeletionText(
            DeletionPreview(
                selected: [group(.sample, "a", nil, 2)],
                together: [group(.sample, "b", nil, 1), group(.correlation, "c", nil, 1)]))
        let lines = text.table(.plain).split(separator: "\n")
        XCTAssertTrue(lines[0].hasSuffix("REASON"))
        XCTAssertTrue(lines[1].hasSuffix("selected"))
        XCTAssertTrue(lines[2].hasSuffix("member of a deleted correlation"))
        XCTAssertTrue(lines[3].hasSuffix("has a deleted member"))
    }

    func testTable_ofNothing_isEmpty() {
        XCTAssertEqual(DeletionText(DeletionPreview()).table(.plain), "")
    }

    func testJSON_isOneLine_withTheNumberOfDeletedRecords() {
        let text = DeletionText(
            DeletionPreview(
                selected: [group(.sample, "heartRate", nil, 2)],
                together: [group(.correlation, "c", "ada", 1)]))
        let records = """
            "records":[{"type":"heartRate","count":2,"from":"2026-01-01T00:00:00.000Z",\
            "to":"2026-01-01T00:00:05.000Z"},{"type":"c","person":"ada","count":1,\
            "from":"2026-01-01T00:00:00.000Z","to":"2026-01-01T00:00:05.000Z",\
            "reason":"has a deleted member"}]}

            """
        XCTAssertEqual(text.json(deleted: nil), #"{"deleted":false,"count":3,"# + records)
        XCTAssertEqual(
            text.json(deleted: 4, person: "ada"),
            #"{"deleted":true,"person":"ada","count":4,"# + records)
    }

    func testMode_needsATerminalOrAnOption() throws {
        func mode(_ words: [String], _ hasTerminal: Bool) -> DeletionMode? {
            let arguments = try? ParsedArguments(["x"] + words, syntax: DeleteSampleCommand.syntax)
            return arguments.flatMap { try? DeletionMode($0, hasTerminal: hasTerminal) }
        }
        XCTAssertEqual(mode([], true), .question)
        XCTAssertNil(mode([], false))
        for hasTerminal in [true, false] {
            XCTAssertEqual(mode(["--yes"], hasTerminal), .confirmed)
            XCTAssertEqual(mode(["--yes", "--json"], hasTerminal), .confirmed)
            XCTAssertEqual(mode(["--dry-run"], hasTerminal), .dryRun)
            XCTAssertNil(mode(["--dry-run", "--yes"], hasTerminal))
            XCTAssertNil(mode(["--json"], hasTerminal))
        }
    }
}
