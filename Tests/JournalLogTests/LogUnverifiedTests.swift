import GatewayTesting
import Readings
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog
@testable import Platform

/// The log keeps what a sink has stored but not verified, also over a crash.
final class LogUnverifiedTests: LogTestCase {
    private func makeJournal(_ sinks: [String] = ["store", "other"]) throws -> Journal {
        try Journal(
            file: LogJournalFile(
                path: path, durability: .crash, clock: clock, sizes: Self.smallSizes),
            sinks: sinks, clock: clock, log: Logger(component: "test") { _ in })
    }

    /// Publishes 100 records of 100 bytes, and has them stored by both sinks.
    private func deliver(_ batch: Int64, through journal: Journal) async {
        let text = String(repeating: String(repeating: "x", count: 99) + "\n", count: 100)
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (100, 100)
        await journal.append(RecordLines(Array(text.utf8)), addition: addition)
        await journal.commit()
        var outcome = Ledger.Outcome()
        outcome.delivered = 100
        for (sink, isVerifying) in [("store", true), ("other", false)] {
            await journal.advance(
                sink, from: batch * 100, to: batch * 100 + 100, adding: outcome,
                isVerifying: isVerifying)
        }
        await journal.saveSinksAlone()
    }

    /// The records that a sink gets.
    private func drain(_ sink: String, of journal: Journal) async throws -> Int {
        var count = 0
        var position: Int64?
        while let slice = try await journal.read(
            for: sink, after: position, limit: JournalReadLimit(count: 100))
        {
            position = slice.end
            count += slice.lines.count
        }
        return count
    }

    func testUnverifiedRecords_areKeptOverACrash_andRemovedWhenTheyAreVerified() async throws {
        let journal = try makeJournal()
        for batch in 0..<20 { await deliver(Int64(batch), through: journal) }
        XCTAssertGreaterThan(try segmentNames().count, 5)

        // No close: the process was killed.
        let next = try makeJournal()
        let redelivery = await next.redeliver(to: "store", missing: .max)
        XCTAssertEqual(redelivery.records, 2_000)
        var count = try await drain("store", of: next)
        XCTAssertEqual(count, 2_000)
        count = try await drain("other", of: next)
        XCTAssertEqual(count, 0)
        var ledger = await next.ledger
        XCTAssertEqual(ledger.imbalances, [])

        var outcome = Ledger.Outcome()
        outcome.delivered = 2_000
        await next.advance("store", from: 0, to: 2_000, adding: outcome, isVerifying: true)
        await next.noteVerified("store")
        await next.saveSinksAlone()
        // The newest segment, and one that is certainly on the disk.
        XCTAssertLessThanOrEqual(try segmentNames().count, 2)
        ledger = await next.ledger
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, 2_000)
    }

    /// A crash at any place: what is delivered again and what is verified are never both missing.
    func testCrash_afterAnyStep_losesNothing_andCountsNothingTwice() async throws {
        var stored: Int64 = 0
        for step in 0..<12 {
            let journal = try makeJournal()
            let redelivery = await journal.redeliver(to: "store", missing: 0)
            let ledger = await journal.ledger
            XCTAssertEqual(ledger.imbalances, [], "\(step)")
            let entry = try XCTUnwrap(ledger.sinks["store"])
            XCTAssertEqual(entry.outcome.delivered + redelivery.records, stored, "\(step)")
            let count = try await drain("store", of: journal)
            XCTAssertEqual(Int64(count), ledger.pending(for: "store"), "\(step)")
            var outcome = Ledger.Outcome()
            outcome.delivered = Int64(count)
            await journal.advance(
                "store", from: entry.cursor, to: stored, adding: outcome, isVerifying: true)
            await deliver(stored / 100, through: journal)
            stored += 100
            if step % 3 == 1 { await journal.noteVerified("store") }
            if step % 2 == 1 { await journal.saveSinksAlone() }
        }
    }
}
