import Foundation
import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import SQLite

/// A journal that is damaged is put aside; what can be read is kept, and the ledger closes.
final class JournalDamageTests: DatabaseTestCase {
    private static let batches: Int64 = 60
    private let clock = ManualClock()

    private func makeFile() throws -> SQLiteJournalFile {
        try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
    }

    private func lines(_ batch: Int64) -> RecordLines {
        let text = (0..<10).map {
            "batch \(batch) line \($0) " + String(repeating: "x", count: 280)
        }
        return RecordLines(Array((text.joined(separator: "\n") + "\n").utf8))
    }

    private func append(_ batch: Int64, to file: SQLiteJournalFile) throws {
        var addition = Ledger.Intake()
        (addition.converted, addition.published, addition.duplicate) = (11, 10, 1)
        try file.append(lines(batch), addition: addition, at: file.end())
    }

    /// Makes a journal in which `fast` has taken 100 of 600 records and `slow` 50; closed.
    private func makeJournal() throws {
        let file = try makeFile()
        try file.register([JournalSink("fast"), JournalSink("slow")])
        for batch in 0..<Self.batches { try append(batch, to: file) }
        var outcome = Ledger.Outcome()
        outcome.delivered = 100
        try file.advance("fast", to: 100, adding: outcome)
        outcome.delivered = 50
        try file.advance("slow", to: 50, adding: outcome)
    }

    /// Reads a sink's records to the end as a runner does; the numbers of what came, and of what is lost.
    private func drain(
        _ file: SQLiteJournalFile, _ sink: String
    ) throws -> (lines: Int64, lost: Int64) {
        var (read, lost): (Int64, Int64) = (0, 0)
        while let cursor = try file.ledger().sinks[sink]?.cursor,
            cursor < (try file.ledger().intake.published)
        {
            let published = try file.ledger().intake.published
            let slice = try file.read(after: cursor, limit: JournalReadLimit(count: 100))
            let end = slice?.end ?? published
            var outcome = Ledger.Outcome()
            outcome.delivered = Int64(slice?.lines.count ?? 0)
            outcome.lost = end - cursor - outcome.delivered
            try file.advance(sink, to: end, adding: outcome)
            read += outcome.delivered
            lost += outcome.lost
        }
        return (read, lost)
    }

    private func contents() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func damagedFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.contains(".damaged-")
        }
    }

    func testBatch_withAFlippedBit_isSkippedAndCountsAsLost() throws {
        try makeJournal()
        var bytes = try contents()
        let needle = Array("batch 30 line 5".utf8)
        let place = try XCTUnwrap(bytes.firstRange(of: needle))
        bytes[place.lowerBound + 8] ^= 0x10
        try write(bytes)
        let file = try makeFile()
        XCTAssertNil(file.damageAtOpening)
        let slow = try drain(file, "slow")
        XCTAssertEqual(slow.lines, 540)
        XCTAssertEqual(slow.lost, 10)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testHeaderGone_everythingElseIsKept() throws {
        try makeJournal()
        var bytes = try contents()
        for index in 0..<100 { bytes[index] = 0 }
        try write(bytes)
        let file = try makeFile()
        let damage = try XCTUnwrap(file.damageAtOpening)
        XCTAssertEqual(damage.kept, 550)
        XCTAssertEqual(damage.missing, 0)
        XCTAssertTrue(damage.keepsLedger)
        XCTAssertEqual(
            Array(try Data(contentsOf: URL(fileURLWithPath: XCTUnwrap(damage.movedTo)))), bytes)
        XCTAssertEqual(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder).map { $0.prefix(19) }),
            ["test.sqlite", "test.sqlite.damaged"])
        XCTAssertEqual(try drain(file, "slow").lines, 550)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testNoise_aNewJournalIsBegun() throws {
        try write((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) })
        let file = try makeFile()
        let damage = try XCTUnwrap(file.damageAtOpening)
        XCTAssertFalse(damage.keepsLedger)
        try file.register([JournalSink("slow")])
        try append(0, to: file)
        XCTAssertEqual(try drain(file, "slow").lines, 10)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testMarksOfTheHeaderDamaged_everythingIsKept() throws {
        for offset in [0, 16, 18, 19, 20, 21, 60, 63, 68, 71] {
            try makeJournal()
            var bytes = try contents()
            bytes[offset] ^= 0x04
            try write(bytes)
            let file = try makeFile()
            XCTAssertEqual(file.damageAtOpening?.kept, 550, "byte \(offset)")
            XCTAssertEqual(file.damageAtOpening?.missing, 0, "byte \(offset)")
            XCTAssertEqual(file.damageAtOpening?.keepsLedger, true, "byte \(offset)")
            XCTAssertEqual(try drain(file, "fast").lines, 500, "byte \(offset)")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        }
    }

    /// Cut to every number of pages, and in the middle of one.
    func testTruncated_atEveryPage_whatIsLeftIsKept() throws {
        try makeJournal()
        let whole = try contents()
        var sizes = Array(stride(from: 1_024, through: whole.count, by: JournalSchema.pageSize))
        sizes += stride(from: JournalSchema.pageSize, to: whole.count, by: JournalSchema.pageSize)
        for size in sizes {
            try assertSurvives(Array(whole.prefix(size)), "\(size) bytes of \(whole.count)")
        }
    }

    /// A page of noise at every place, and single flipped bits at random.
    func testDamaged_anywhere_itStartsAndTheLedgerCloses() throws {
        try makeJournal()
        let whole = try contents()
        var random = SeededGenerator(seed: 11)
        for page in 0..<whole.count / JournalSchema.pageSize {
            var bytes = whole
            for index in 0..<JournalSchema.pageSize {
                bytes[page * JournalSchema.pageSize + index] = UInt8.random(
                    in: 0...255, using: &random)
            }
            try assertSurvives(bytes, "page \(page)")
        }
        for round in 0..<50 * FuzzFactor.current {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Half of them where the structure is.
                let range = Bool.random(using: &random) ? 0..<2_000 : 0..<whole.count
                bytes[Int.random(in: range, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            try assertSurvives(bytes, "round \(round)")
        }
    }

    /// With these bytes the journal opens, goes on, and its ledger closes at every step.
    private func assertSurvives(_ bytes: [UInt8], _ what: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "journal.sqlite")
        let file = try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
        var journal = try MendingJournal(file, clock: clock)
        try journal.register([JournalSink("fast"), JournalSink("slow")])
        try journal.run(name: "slow", what) { line in
            // What comes is what was written, in order, or it does not come.
            line.starts(with: "batch ") || line.starts(with: "new")
        }
    }

    func testRunning_aJournalThatGetsDamaged_goesOnWithItsLedger() async throws {
        let journal = try Journal(
            file: SQLiteJournalFile(path: path, durability: .crash, clock: clock), sinks: ["slow"],
            clock: clock, log: Logger(component: "test") { _ in })
        func publish(_ count: Int) async {
            var addition = Ledger.Intake()
            (addition.converted, addition.published) = (Int64(count), Int64(count))
            let text = String(repeating: String(repeating: "y", count: 999) + "\n", count: count)
            await journal.append(RecordLines(Array(text.utf8)), addition: addition)
            await journal.commit()
        }
        // More than the tail and the page cache hold, so that the file is read.
        for _ in 0..<12 { await publish(1_000) }
        let size = try contents().count
        XCTAssertEqual(truncate(path, off_t(size / 2)), 0)
        _ = try? FileManager.default.removeItem(atPath: "\(path)-wal")
        var (delivered, lost): (Int64, Int64) = (0, 0)
        while let slice = try await journal.read(
            for: "slow", limit: JournalReadLimit(count: 1_000))
        {
            var outcome = Ledger.Outcome()
            (outcome.delivered, outcome.lost) = slice.isLost ? (0, slice.count) : (slice.count, 0)
            delivered += outcome.delivered
            lost += outcome.lost
            await journal.advance("slow", from: slice.start, to: slice.end, adding: outcome)
        }
        await publish(1_000)
        let ledger = await journal.ledger
        XCTAssertEqual(delivered + lost, 12_000)
        XCTAssertGreaterThan(delivered, 0)
        XCTAssertEqual(ledger.intake.published, 13_000)
        XCTAssertEqual(ledger.pending(for: "slow"), 1_000)
        XCTAssertEqual(ledger.imbalances, [])
    }

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

    func testLedgerThatDoesNotClose_isBegunAnew_withEverythingThatWaits() throws {
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
        XCTAssertEqual(ledger.intake.published, 600)
        XCTAssertEqual(ledger.sinks["fast"]?.outcome.delivered, 100)
        XCTAssertEqual(try drain(file, "slow").lost, 0)
        XCTAssertEqual(try drain(file, "fast").lines, 500)
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
                // What SQLite itself refuses is no test.
                let isDone =
                    (try? connect().execute("PRAGMA ignore_check_constraints = 1; \(sql)")) != nil
                if isDone { try assertSurvives(try contents(), sql) }
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
                }
            }
        }
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

    func testSwap_thatWasCutOff_isCompletedAtTheNextStart() throws {
        try makeJournal()
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).mending")
        XCTAssertEqual(try makeFile().ledger().intake.published, 600)
    }

    func testChecksum_everyFlippedBitChangesIt() {
        let bytes = (0..<75).map { UInt8($0) }
        let place = JournalPlace(first: 3, position: 4, time: Instant(nanosecondsSince1970: 5))
        func sum(_ bytes: [UInt8], _ place: JournalPlace) -> Int64 {
            bytes.withUnsafeBytes { BatchChecksum.checksum($0, count: 2, at: place) }
        }
        let whole = sum(bytes, place)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                XCTAssertNotEqual(sum(changed, place), whole, "byte \(index), bit \(bit)")
            }
        }
        for length in bytes.indices {
            XCTAssertNotEqual(sum(Array(bytes[..<length]), place), whole)
        }
        var moved = place
        moved.first = 4
        XCTAssertNotEqual(sum(bytes, moved), whole)
    }
}

/// Drives a file as the journal does: mends it when it turns out to be damaged, and goes on.
private struct MendingJournal {
    private let file: SQLiteJournalFile
    private let clock: ManualClock
    private var account: Ledger

    init(_ file: SQLiteJournalFile, clock: ManualClock) throws {
        self.file = file
        self.clock = clock
        account = try file.ledger()
    }

    private func mending<Result>(_ operation: () throws -> Result) throws -> Result {
        do { return try operation() } catch {
            guard file.fault(of: error) == .damaged else { throw error }
            _ = try file.repair(keeping: account)
            return try operation()
        }
    }

    mutating func register(_ sinks: [JournalSink]) throws {
        try mending { try file.register(sinks) }
        account = try file.ledger()
    }

    /// Appends a batch, reads all of a sink's records and moves its cursor.
    func run(
        name: String, _ what: String, _ isKnown: (Substring) -> Bool
    ) throws {
        var journal = self
        try journal.append()
        XCTAssertEqual(try file.ledger().imbalances, [], what)
        while let sink = journal.account.sinks[name], sink.cursor < journal.account.intake.published
        {
            let slice = try journal.mending {
                try file.read(after: sink.cursor, limit: JournalReadLimit(count: 100))
            }
            let end = min(slice?.end ?? .max, journal.account.intake.published)
            for line in String(decoding: slice?.lines.bytes ?? [], as: UTF8.self).split(
                separator: "\n")
            {
                XCTAssertTrue(isKnown(line), what)
            }
            var outcome = Ledger.Outcome()
            outcome.delivered = Int64(slice?.lines.count ?? 0)
            outcome.lost = end - sink.cursor - outcome.delivered
            try journal.mending { try file.advance(name, to: end, adding: outcome) }
            journal.account.sinks[name]?.cursor = end
            journal.account.sinks[name]?.outcome.add(outcome)
        }
        XCTAssertEqual(try file.ledger().imbalances, [], what)
        XCTAssertEqual(try file.ledger(), journal.account, what)
    }

    private mutating func append() throws {
        var addition = Ledger.Intake()
        (addition.converted, addition.published) = (1, 1)
        try mending {
            var place = try file.end()
            place.first = account.intake.published
            try file.append(RecordLines(Array("new\n".utf8)), addition: addition, at: place)
        }
        account.intake.add(addition)
    }
}
