import GatewayCore
import GatewayTesting
import HealthModel
import SQLite
import XCTest

@testable import Readings
@testable import SQLiteJournal

final class SQLiteJournalFileTests: DatabaseTestCase {
    private func makeFile(_ durability: Durability = .crash) throws -> SQLiteJournalFile {
        try SQLiteJournalFile(path: path, durability: durability)
    }

    private func addition(_ published: Int64) -> Ledger.Ingest {
        var addition = Ledger.Ingest()
        addition.converted = published + 2
        addition[.implausible] = 1
        addition[.duplicate] = 1
        addition.published = published
        return addition
    }

    private func delivered(_ count: Int64) -> Ledger.Outcome {
        var outcome = Ledger.Outcome()
        outcome.delivered = count
        return outcome
    }

    /// Appends lines at the end, as the journal does.
    @discardableResult
    private func append(
        _ text: String, to file: SQLiteJournalFile, at seconds: Int64 = 0
    ) throws -> JournalPlace {
        let lines = RecordLines(Array(text.utf8))
        var place = try file.end()
        place.time = Instant(nanosecondsSince1970: seconds * 1_000_000_000)
        try file.append(lines, addition: addition(Int64(lines.count)), at: place)
        return place
    }

    private func read(
        _ file: SQLiteJournalFile, after cursor: Int64, count: Int
    ) throws -> JournalSlice? {
        try file.read(after: cursor, limit: JournalReadLimit(count: count))
    }

    private func batchCount(_ file: SQLiteJournalFile) throws -> Int64 {
        try integer("SELECT count(*) FROM batch", on: file.connection)
    }

    func testLedger_ofANewFileIsEmpty() throws {
        XCTAssertEqual(try makeFile().ledger(), Ledger())
    }

    func testRead_wholeBatchesInOrderUpToTheLimit() throws {
        let file = try makeFile()
        try file.register([JournalSink("store")])
        try append("a\nb\n", to: file)
        try append("c\n", to: file)
        try append("d\n", to: file)
        XCTAssertEqual(
            try read(file, after: 0, count: 3),
            JournalSlice(start: 0, end: 3, lines: RecordLines(Array("a\nb\nc\n".utf8))))
        XCTAssertEqual(
            try read(file, after: 3, count: 3),
            JournalSlice(start: 3, end: 4, lines: RecordLines(Array("d\n".utf8))))
        XCTAssertNil(try read(file, after: 4, count: 3))
    }

    func testReopen_everythingIsThere() throws {
        do {
            let file = try makeFile(.powerLoss)
            try file.register([JournalSink("store"), JournalSink("lines")])
            try append("a\nb\n", to: file)
            try file.advance("store", to: 2, adding: delivered(2))
        }
        let file = try makeFile()
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.ingest, addition(2))
        XCTAssertEqual(ledger.sinks["store"]?.outcome, delivered(2))
        XCTAssertEqual(ledger.pending(for: "lines"), 2)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(try read(file, after: 0, count: 10)?.end, 2)
    }

    func testAdvance_removesWhatAllSinksHaveProcessed() throws {
        let file = try makeFile()
        try file.register([JournalSink("store"), JournalSink("lines")])
        try append("a\n", to: file)
        try append("b\n", to: file)
        try file.advance("store", to: 2, adding: delivered(2))
        XCTAssertEqual(try batchCount(file), 2)
        try file.advance("lines", to: 1, adding: delivered(1))
        XCTAssertEqual(try batchCount(file), 1)
        try file.advance("lines", to: 2, adding: delivered(1))
        XCTAssertEqual(try batchCount(file), 0)
        // The numbers continue although no batch is left.
        try append("c\n", to: file)
        XCTAssertEqual(try read(file, after: 2, count: 1)?.end, 3)
    }

    func testRegister_aNewSinkStartsNow_andOneThatIsGoneHoldsNothingBack() throws {
        let file = try makeFile()
        try file.register([JournalSink("old")])
        try append("a\n", to: file)
        try file.register([JournalSink("new")])
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.sinks, ["new": Ledger.Sink(start: 1, cursor: 1)])
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(try batchCount(file), 0)
    }

    func testRead_fromTheMiddleOfABatch() throws {
        let file = try makeFile()
        try append("a\nb\nc\n", to: file)
        try append("d\n", to: file)
        XCTAssertEqual(
            try read(file, after: 1, count: 2),
            JournalSlice(start: 1, end: 3, lines: RecordLines(Array("b\nc\n".utf8))))
        XCTAssertEqual(try read(file, after: 2, count: 2)?.end, 4)
    }

    func testRead_upToABoundOfBytes() throws {
        let file = try makeFile()
        for _ in 0..<5 { try append("aaaa\n", to: file) }
        let slice = try file.read(after: 0, limit: JournalReadLimit(count: .max, bytes: 12))
        XCTAssertEqual(slice?.end, 2)
    }

    func testRead_whatIsMissing_isASliceWithoutLines() throws {
        let file = try makeFile()
        for _ in 0..<3 { try append("a\nb\n", to: file) }
        try file.connection.execute("DELETE FROM batch WHERE first = 2")
        XCTAssertEqual(try read(file, after: 0, count: 10)?.end, 2)
        let gap = try XCTUnwrap(read(file, after: 2, count: 10))
        XCTAssertTrue(gap.isLost)
        XCTAssertEqual(gap.end, 4)
        XCTAssertEqual(try read(file, after: 4, count: 10)?.lines.count, 2)
    }

    func testPlace_theFirstWithinABound() throws {
        let file = try makeFile()
        let places = try (1...4).map { try append("aaaa\nbbbb\n", to: file, at: $0) }
        XCTAssertEqual(try file.place(after: 3, within: JournalBound()), places[1])
        XCTAssertNil(try file.place(after: 8, within: JournalBound()))
        var bound = JournalBound()
        bound.position = 11
        XCTAssertEqual(try file.place(after: 0, within: bound), places[2])
        bound.time = places[3].time
        XCTAssertEqual(try file.place(after: 0, within: bound), places[3])
        bound.unknownBefore = places[3].time
        XCTAssertEqual(try file.place(after: 0, within: bound), places[2])
        XCTAssertEqual(
            try file.end(), JournalPlace(first: 8, position: 40, time: places[3].time))
    }

    func testRegister_aRenamedSinkContinuesAtItsCursor() throws {
        let file = try makeFile()
        try file.register([JournalSink("old")])
        try append("a\nb\n", to: file)
        try file.advance("old", to: 1, adding: delivered(1))
        try file.register([
            JournalSink("new", previousName: "old"), JournalSink("all", startPosition: .start),
        ])
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.sinks["new"]?.cursor, 1)
        XCTAssertEqual(ledger.sinks["new"]?.outcome, delivered(1))
        XCTAssertNil(ledger.sinks["old"])
        XCTAssertEqual(ledger.sinks["all"], Ledger.Sink(start: 0, cursor: 0))
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRegister_swappedNames_swapOnce_alsoInTheNextRun() throws {
        let swapped = [
            JournalSink("a", previousName: "b"), JournalSink("b", previousName: "a"),
        ]
        do {
            let file = try makeFile()
            try file.register([JournalSink("a"), JournalSink("b")])
            try append("a\nb\n", to: file)
            try file.advance("a", to: 2, adding: delivered(2))
            try file.register(swapped)
        }
        let file = try makeFile()
        try file.register(swapped)
        XCTAssertEqual(try file.ledger().sinks.mapValues(\.cursor), ["a": 0, "b": 2])
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testRegister_withNothingToChange_writesNothing_soThatAFullDiskIsNoReason() throws {
        let file = try makeFile()
        try file.register([JournalSink("store")])
        try file.connection.execute("PRAGMA query_only = 1")
        XCTAssertNoThrow(try file.register([JournalSink("store")]))
        XCTAssertThrowsError(try file.register([JournalSink("other")]))
    }

    /// Records accepted by the previous version are delivered by this one.
    func testInit_takesOverAJournalOfTheFirstVersion() throws {
        do {
            let old = try connect()
            try old.migrate(
                applicationID: JournalSchema.applicationID,
                steps: JournalSchema.steps.prefix(1).map(MigrationStep.sql))
            try old.execute(
                """
                INSERT INTO batch VALUES (0, 2, CAST('a' || char(10) || 'b' || char(10) AS BLOB));
                INSERT INTO batch VALUES (2, 1, CAST('c' || char(10) AS BLOB));
                UPDATE intake SET converted = 3, published = 3;
                INSERT INTO sink (name, start, cursor, delivered) VALUES ('store', 0, 2, 2);
                """)
        }
        let file = try makeFile()
        XCTAssertNil(file.damageAtOpening)
        XCTAssertEqual(try file.ledger().pending(for: "store"), 1)
        XCTAssertEqual(
            try read(file, after: 0, count: 10)?.lines, RecordLines(Array("a\nb\nc\n".utf8)))
        XCTAssertEqual(try file.end().position, 6)
    }

    /// After a backlog was delivered, the file and the write-ahead log shrink again.
    func testAdvance_afterABacklog_theFileIsSmallAgain() throws {
        let file = try makeFile()
        try file.register([JournalSink("store")])
        let text = String(repeating: String(repeating: "x", count: 999) + "\n", count: 1_000)
        for _ in 0..<100 { try append(text, to: file) }
        let large = file.size
        XCTAssertGreaterThan(large, 100_000_000)
        for batch in 1...100 {
            try file.advance("store", to: Int64(batch) * 1_000, adding: delivered(1_000))
        }
        XCTAssertLessThan(file.size, large / 4)
        try append("a\n", to: file)
        XCTAssertEqual(try read(file, after: 100_000, count: 1)?.lines.count, 1)
    }

    func testInit_ownsTheFile_soThatNoOtherProcessDelaysACommit() throws {
        let file = try makeFile()
        try append("a\n", to: file)
        let other = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: 0)
        XCTAssertThrowsError(try other.execute("BEGIN IMMEDIATE")) { error in
            XCTAssertEqual((error as? SQLiteError)?.reason, .busy)
        }
        try append("b\n", to: file)
    }

    func testAppend_onlyCountsWithoutRecordsMakeNoBatch() throws {
        let file = try makeFile()
        try append("", to: file)
        XCTAssertEqual(try batchCount(file), 0)
        XCTAssertEqual(try file.ledger().ingest[.implausible], 1)
    }

    func testInit_refusesTheFileOfAnotherProgram_unchanged() throws {
        do {
            let other = try SQLiteConnection(path: path, access: .readWrite)
            try other.execute("CREATE TABLE theirs (x); PRAGMA application_id = 7")
        }
        XCTAssertThrowsError(try makeFile()) { error in
            XCTAssertEqual((error as? SQLiteError)?.reason, .foreignFile)
        }
    }

    /// With a file limit of N pages, for several N, an append is complete or has no effect.
    func testAppend_whenTheDiskIsFull_changesNothing() throws {
        let line = String(repeating: "x", count: 999) + "\n"
        for pages in stride(from: 5, through: 40, by: 5) {
            let folder = try TemporaryFolder()
            let path = folder.path("journal.sqlite")
            let file = try SQLiteJournalFile(path: path, durability: .crash)
            try file.register([JournalSink("store")])
            try file.limitPages(pages)
            var accepted: Int64 = 0
            while (try? append(line, to: file)) != nil { accepted += 1 }
            let ledger = try file.ledger()
            XCTAssertEqual(ledger.ingest.published, accepted, "\(pages) pages")
            XCTAssertEqual(ledger.imbalances, [])
            let slice = try read(file, after: 0, count: .max)
            XCTAssertEqual(slice?.lines.bytes.count ?? 0, Int(accepted) * 1_000)
        }
    }
}

extension SQLiteJournalFile {
    /// Limits the file to a number of pages, which simulates a full disk.
    fileprivate func limitPages(_ count: Int) throws {
        try connection.pragma("max_page_count", to: "\(count)")
    }
}
