import Foundation
import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import SQLiteJournal

/// A corrupt journal is recovered and kept as a backup, and the ledger balances.
final class JournalDamageTests: JournalDamageTestCase {
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

    func testHeaderErased_everythingElseIsRecovered() throws {
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
            ["test.sqlite", "test.sqlite-reserve", "test.sqlite.damaged"])
        XCTAssertEqual(try drain(file, "slow").lines, 550)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testNoise_aNewJournalIsCreated() throws {
        try write((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) })
        let file = try makeFile()
        let damage = try XCTUnwrap(file.damageAtOpening)
        XCTAssertFalse(damage.keepsLedger)
        try file.register([JournalSink("slow")])
        try append(0, to: file)
        XCTAssertEqual(try drain(file, "slow").lines, 10)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testHeaderFieldsCorrupt_everythingIsRecovered() throws {
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

    /// Truncated at every page boundary, and in the middle of every page.
    func testTruncated_atEveryPage_theRestIsRecovered() throws {
        try makeJournal()
        let whole = try contents()
        var sizes = Array(stride(from: 1_024, through: whole.count, by: JournalSchema.pageSize))
        sizes += stride(from: JournalSchema.pageSize, to: whole.count, by: JournalSchema.pageSize)
        for size in sizes {
            try assertSurvives(Array(whole.prefix(size)), "\(size) bytes of \(whole.count)")
        }
    }

    /// A page of noise at every position, and random flipped bits.
    func testCorrupt_anywhere_itStartsAndTheLedgerBalances() throws {
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
                // Half of them in the structure.
                let range = Bool.random(using: &random) ? 0..<2_000 : 0..<whole.count
                bytes[Int.random(in: range, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            try assertSurvives(bytes, "round \(round)")
        }
    }

    func testRunning_aJournalThatBecomesCorrupt_continuesWithItsLedger() async throws {
        let journal = try Journal(
            file: SQLiteJournalFile(path: path, durability: .crash, clock: clock), sinks: ["slow"],
            clock: clock, log: Logger(component: "test") { _ in })
        func publish(_ count: Int) async {
            var addition = Ledger.Ingest()
            (addition.converted, addition.published) = (Int64(count), Int64(count))
            let text = String(repeating: String(repeating: "y", count: 999) + "\n", count: count)
            await journal.append(RecordLines(Array(text.utf8)), addition: addition)
            await journal.commit()
        }
        // More than the tail and the page cache hold, so that records are read from the file.
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
        XCTAssertEqual(ledger.ingest.published, 13_000)
        XCTAssertEqual(ledger.pending(for: "slow"), 1_000)
        XCTAssertEqual(ledger.imbalances, [])
    }
}
