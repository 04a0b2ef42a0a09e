import Foundation
import SQLite
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import SQLiteJournal

/// A valid database with unexpected content.
final class JournalUnexpectedContentTests: JournalDamageTestCase {
    func testForeignFile_staysAnError_andUnchanged() throws {
        do {
            let other = try connect()
            try other.execute("CREATE TABLE batch (x); PRAGMA application_id = 7")
        }
        let before = try contents()
        XCTAssertThrowsError(try makeFile()) { error in
            XCTAssertEqual((error as? SQLiteError)?.reason, .foreignFile)
        }
        XCTAssertEqual(try contents(), before)
        XCTAssertEqual(try damagedFiles(), [])
    }

    func testNewerFile_staysAnError() throws {
        try makeJournal()
        do {
            let newer = try connect()
            try newer.execute("ALTER TABLE sink ADD COLUMN mood; PRAGMA user_version = 9")
        }
        XCTAssertThrowsError(try makeFile()) { error in
            XCTAssertEqual((error as? SQLiteError)?.reason, .newerFile)
        }
    }

    func testLedgerThatDoesNotBalance_isReplaced_withEverythingPending() throws {
        try makeJournal()
        do {
            let file = try connect()
            try file.execute("UPDATE sink SET delivered = 7 WHERE name = 'slow'")
        }
        let file = try makeFile()
        XCTAssertEqual(file.damageAtOpening?.keepsLedger, false)
        try file.register([JournalSink("fast"), JournalSink("slow")])
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.ingest.published, 600)
        XCTAssertEqual(ledger.sinks["fast"]?.outcome.delivered, 100)
        XCTAssertEqual(try drain(file, "slow").lost, 0)
        XCTAssertEqual(try drain(file, "fast").lines, 500)
    }

    func testBatchWithoutChecksum_isCorrupt_unlessItIsOfTheFirstVersion() throws {
        try makeJournal()
        do {
            let file = try connect()
            try file.execute("UPDATE batch SET checksum = NULL WHERE first IN (200, 300)")
            try file.execute("UPDATE batch SET time = 0 WHERE first = 300")
            try file.execute("UPDATE batch SET time = 1 WHERE first = 200")
        }
        let file = try makeFile()
        try file.register([JournalSink("fast"), JournalSink("slow")])
        let slow = try drain(file, "slow")
        XCTAssertEqual(slow.lost, 10)
        XCTAssertEqual(slow.lines, 540)
    }

    func testHostileNumbers_neverTrap() throws {
        let numbers = ["-1", "9223372036854775807", "'x'"]
        for number in numbers {
            for sql in [
                "UPDATE intake SET published = \(number)",
                "UPDATE intake SET converted = \(number)",
                "UPDATE sink SET cursor = \(number)", "UPDATE sink SET start = \(number)",
                "UPDATE sink SET lost = \(number)", "UPDATE batch SET position = \(number)",
                "UPDATE batch SET time = \(number)", "UPDATE batch SET checksum = \(number)",
                "UPDATE batch SET lines = \(number)",
                "INSERT INTO batch VALUES (\(number), 1, 0, 0, NULL, 'x')",
            ] {
                try makeJournal()
                // A statement that SQLite rejects changes nothing.
                let isDone =
                    (try? connect().execute("PRAGMA ignore_check_constraints = 1; \(sql)")) != nil
                if isDone { try assertSurvives(try contents(), sql) }
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
                }
            }
        }
    }

    /// A sink that is added later starts at the current end, also after a lost ledger.
    func testLedgerReplaced_aSinkThatIsAddedLater_startsNow() throws {
        try write((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) })
        let file = try makeFile()
        XCTAssertEqual(file.damageAtOpening?.keepsLedger, false)
        try file.register([JournalSink("slow")])
        try append(0, to: file)
        try file.register([JournalSink("slow"), JournalSink("later")])
        XCTAssertEqual(try file.ledger().sinks["later"]?.cursor, 10)
        XCTAssertEqual(try file.ledger().sinks["slow"]?.cursor, 0)
    }

    /// Otherwise the cursor would seem saved; the error makes the journal repair the file.
    func testSave_ofASinkWithoutARow_isCorruption() throws {
        try makeJournal()
        let file = try makeFile()
        let before = try file.ledger()
        let gone = try XCTUnwrap(before.sinks["slow"])
        try file.register([JournalSink("fast")])
        XCTAssertThrowsError(try file.save(["slow": gone])) { error in
            XCTAssertEqual(file.fault(of: error), .damaged)
        }
        _ = try file.repair(keeping: before)
        try file.save(["slow": gone])
        XCTAssertEqual(try file.ledger(), before)
    }

    func testRowsThatOverlap_neverTrap() throws {
        try makeJournal()
        do {
            let file = try connect()
            try file.execute(
                """
                UPDATE batch SET checksum = NULL, time = 0 WHERE first = 300;
                INSERT INTO batch SELECT 305, 10, position, time, NULL, lines FROM batch
                    WHERE first = 300;
                UPDATE batch SET lines = CAST(
                    'batch 1' || x'0a' || 'batch 2' || x'0a' AS BLOB), count = 2 WHERE first = 305;
                """)
        }
        let file = try makeFile()
        XCTAssertEqual(try drain(file, "slow").lines, 550)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testHugeRow_isNotReadIntoMemory() throws {
        try makeJournal()
        do {
            let file = try connect()
            try file.execute("UPDATE batch SET lines = zeroblob(100000000) WHERE first = 300")
        }
        let file = try makeFile()
        let slow = try drain(file, "slow")
        XCTAssertEqual(slow.lines, 540)
        XCTAssertEqual(slow.lost, 10)
    }

    func testRow_beyondWhatWasPublished_isCut() async throws {
        try makeJournal()
        do {
            let file = try connect()
            try file.execute(
                """
                UPDATE batch SET lines = lines || lines, count = 2 * count, checksum = NULL, time = 0
                    WHERE first = (SELECT max(first) FROM batch)
                """)
        }
        let journal = try Journal(
            file: SQLiteJournalFile(path: path, durability: .crash, clock: clock),
            sinks: ["fast", "slow"], clock: clock, log: Logger(component: "test") { _ in })
        var delivered: Int64 = 0
        while let slice = try await journal.read(for: "slow", limit: JournalReadLimit(count: 100)) {
            var outcome = Ledger.Outcome()
            outcome.delivered = Int64(slice.lines.count)
            delivered += outcome.delivered
            await journal.advance("slow", from: slice.start, to: slice.end, adding: outcome)
        }
        let ledger = await journal.ledger
        XCTAssertEqual(delivered, 550)
        XCTAssertEqual(ledger.pending(for: "slow"), 0)
        XCTAssertEqual(ledger.imbalances, [])
    }
}
