import GatewayTesting
import Platform
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Readings

/// Tests of commits when there is little to commit.
final class QuietJournalTests: LaneTestCase {
    private func publish(_ index: Int, to journal: Journal) async throws {
        var conversion = Conversion()
        conversion.records = [try sample(index)]
        await Bus(journal: journal, live: LiveLane()).publish(conversion)
    }

    func testRecord_afterAQuietTime_isCommittedAtOnce_withoutATimer() async throws {
        let journal = try makeJournal()
        for index in 0..<5 {
            clock.advance(seconds: CommitPace.quietSeconds)
            try await publish(index, to: journal)
            // The commit is in the journal's queue before this call.
            let published = await journal.ledger.ingest.published
            XCTAssertEqual(published, Int64(index + 1))
        }
    }

    func testRecord_soonAfterACommit_waitsForOthers() async throws {
        let journal = try makeJournal()
        let running = Task { try await journal.run() }
        clock.advance(seconds: CommitPace.quietSeconds)
        try await publish(0, to: journal)
        var published = await journal.ledger.ingest.published
        XCTAssertEqual(published, 1)
        clock.advance(seconds: CommitPace.quietSeconds / 2)
        try await publish(1, to: journal)
        try await publish(2, to: journal)
        await clock.waitForSleepers(1)
        published = await journal.ledger.ingest.published
        XCTAssertEqual(published, 1)
        clock.advance(seconds: Journal.commitDelaySeconds)
        for await _ in await journal.arrivals() {
            published = await journal.ledger.ingest.published
            if published == 3 { break }
        }
        await journal.close()
        try await running.value
    }
}
