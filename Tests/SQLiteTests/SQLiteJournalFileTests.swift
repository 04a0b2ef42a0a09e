import GatewayCore
import GatewayTesting
import XCTest

@testable import SQLite

final class SQLiteJournalFileTests: DatabaseTestCase {
    private func makeFile(_ durability: Durability = .crash) throws -> SQLiteJournalFile {
        try SQLiteJournalFile(path: path, durability: durability)
    }

    private func addition(_ published: Int64) -> Ledger.Intake {
        var addition = Ledger.Intake()
        addition.converted = published + 2
        addition.implausible = 1
        addition.duplicate = 1
        addition.published = published
        return addition
    }

    private func delivered(_ count: Int64) -> Ledger.Outcome {
        var outcome = Ledger.Outcome()
        outcome.delivered = count
        return outcome
    }

    private func batchCount(_ file: SQLiteJournalFile) throws -> Int64 {
        try integer("SELECT count(*) FROM batch", on: file.connection)
    }

    func testLedger_ofANewFileIsEmpty() throws {
        XCTAssertEqual(try makeFile().ledger(), Ledger())
    }

    func testRead_wholeBatchesInOrderUpToTheLimit() throws {
        let file = try makeFile()
        try file.register(sinks: ["store"])
        try file.append(Array("a\nb\n".utf8), addition: addition(2))
        try file.append(Array("c\n".utf8), addition: addition(1))
        try file.append(Array("d\n".utf8), addition: addition(1))
        XCTAssertEqual(
            try file.read(after: 0, limit: 3),
            JournalSlice(start: 0, end: 3, lines: RecordLines(Array("a\nb\nc\n".utf8))))
        XCTAssertEqual(
            try file.read(after: 3, limit: 3),
            JournalSlice(start: 3, end: 4, lines: RecordLines(Array("d\n".utf8))))
        XCTAssertNil(try file.read(after: 4, limit: 3))
    }

    func testReopen_everythingIsThere() throws {
        do {
            let file = try makeFile(.powerLoss)
            try file.register(sinks: ["store", "lines"])
            try file.append(Array("a\nb\n".utf8), addition: addition(2))
            try file.advance("store", to: 2, adding: delivered(2))
        }
        let file = try makeFile()
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.intake, addition(2))
        XCTAssertEqual(ledger.sinks["store"]?.outcome, delivered(2))
        XCTAssertEqual(ledger.pending(for: "lines"), 2)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(try file.read(after: 0, limit: 10)?.end, 2)
    }

    func testAdvance_removesWhatAllSinksHaveDealtWith() throws {
        let file = try makeFile()
        try file.register(sinks: ["store", "lines"])
        try file.append(Array("a\n".utf8), addition: addition(1))
        try file.append(Array("b\n".utf8), addition: addition(1))
        try file.advance("store", to: 2, adding: delivered(2))
        XCTAssertEqual(try batchCount(file), 2)
        try file.advance("lines", to: 1, adding: delivered(1))
        XCTAssertEqual(try batchCount(file), 1)
        try file.advance("lines", to: 2, adding: delivered(1))
        XCTAssertEqual(try batchCount(file), 0)
        // The numbers go on although no batch is left.
        try file.append(Array("c\n".utf8), addition: addition(1))
        XCTAssertEqual(try file.read(after: 2, limit: 1)?.end, 3)
    }

    func testRegister_aNewSinkStartsNow_andOneThatIsGoneHoldsNothingBack() throws {
        let file = try makeFile()
        try file.register(sinks: ["old"])
        try file.append(Array("a\n".utf8), addition: addition(1))
        try file.register(sinks: ["new"])
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.sinks, ["new": Ledger.Sink(start: 1, cursor: 1)])
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(try batchCount(file), 0)
    }

    func testInit_ownsTheFile_soThatNobodyHoldsUpACommit() throws {
        let file = try makeFile()
        try file.append(Array("a\n".utf8), addition: addition(1))
        let other = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: 0)
        XCTAssertThrowsError(try other.execute("BEGIN IMMEDIATE")) { error in
            XCTAssertEqual((error as? SQLiteError)?.reason, .busy)
        }
        try file.append(Array("b\n".utf8), addition: addition(1))
    }

    func testAppend_onlyCountsWithoutRecordsMakeNoBatch() throws {
        let file = try makeFile()
        try file.append([], addition: addition(0))
        XCTAssertEqual(try batchCount(file), 0)
        XCTAssertEqual(try file.ledger().intake.implausible, 1)
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

    /// The file may grow to N pages, for every N: what was appended is whole, what threw is not there.
    func testAppend_whenTheDiskIsFull_changesNothing() throws {
        let line = Array(repeating: UInt8(ascii: "x"), count: 999) + [UInt8(ascii: "\n")]
        for pages in 5...40 {
            let folder = try TemporaryFolder()
            let path = folder.path("journal.sqlite")
            let file = try SQLiteJournalFile(path: path, durability: .crash)
            try file.register(sinks: ["store"])
            try file.limitPages(pages)
            var accepted: Int64 = 0
            while (try? file.append(line, addition: addition(1))) != nil { accepted += 1 }
            let ledger = try file.ledger()
            XCTAssertEqual(ledger.intake.published, accepted, "\(pages) pages")
            XCTAssertEqual(ledger.imbalances, [])
            let slice = try file.read(after: 0, limit: .max)
            XCTAssertEqual(slice?.lines.bytes.count ?? 0, Int(accepted) * line.count)
        }
    }
}

extension SQLiteJournalFile {
    /// Lets the file grow to so many pages only, as a full disk would.
    fileprivate func limitPages(_ count: Int) throws {
        try connection.pragma("max_page_count", to: "\(count)")
    }
}
