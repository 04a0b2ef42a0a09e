import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// Tests of the newest records in memory.
final class JournalTailTests: LaneTestCase {
    private let length = 1_000

    private func advance(_ journal: Journal, _ sink: String, from start: Int64, to end: Int64) async
    {
        var outcome = Ledger.Outcome()
        outcome.delivered = end - start
        await journal.advance(sink, from: start, to: end, adding: outcome)
    }

    func testTail_hasWhatTheSlowestSinkNeeds() async throws {
        let journal = try makeJournal([JournalSink("fast"), JournalSink("slow")])
        for _ in 0..<3 { await publishLines(1_000, to: journal) }
        let all = await journal.tail.bytes
        XCTAssertEqual(all, 3_000 * length)

        await advance(journal, "fast", from: 0, to: 3_000)
        let before = await journal.tail.bytes
        XCTAssertEqual(before, all, "the other sink has none of them")

        await advance(journal, "slow", from: 0, to: 1_500)
        let between = await journal.tail.bytes
        XCTAssertEqual(between, 2_000 * length, "a batch is kept until all of it is delivered")
        let slice = try await journal.read(for: "slow", limit: JournalReadLimit(count: 10_000))
        XCTAssertEqual(slice?.start, 1_500)
        XCTAssertEqual(slice?.lines.count, 1_500)

        await advance(journal, "slow", from: 1_500, to: 3_000)
        let after = await journal.tail.bytes
        XCTAssertEqual(after, 0)
        let none = try await journal.read(for: "slow", limit: JournalReadLimit(count: 10_000))
        XCTAssertNil(none)
    }

    func testTail_afterEverythingWasDelivered_hasTheNextRecords() async throws {
        let journal = try makeJournal([JournalSink("store")])
        for end in stride(from: Int64(1_000), through: 5_000, by: 1_000) {
            await publishLines(1_000, to: journal)
            let slice = try await journal.read(for: "store", limit: JournalReadLimit(count: 10_000))
            XCTAssertEqual(slice?.end, end)
            await advance(journal, "store", from: end - 1_000, to: end)
        }
        let bytes = await journal.tail.bytes
        XCTAssertEqual(bytes, 0)
    }

    func testTail_withoutSinks_isEmpty() async throws {
        let journal = try makeJournal([])
        await publishLines(1_000, to: journal)
        let bytes = await journal.tail.bytes
        XCTAssertEqual(bytes, 0)
    }
}
