import GatewayTesting
import HealthModel
import Platform
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Readings

/// Tests of the limits of what the journal keeps for a sink that has not verified it.
final class KeptRecordsTests: LaneTestCase {
    private func advance(_ journal: Journal, by count: Int) async {
        await publishLines(count, to: journal)
        await journal.commit()
        let end = await journal.ledger.ingest.published
        await journal.advance(
            "store", from: end - Int64(count), to: end, adding: .delivered(Int64(count)),
            isVerifying: true)
    }

    func testKept_isLimitedBySize_andTheRestIsCountedWhenTheStoreIsLost() async throws {
        let journal = try makeJournal([limited(bytes: 1 << 30)])
        for _ in 0..<30 { await advance(journal, by: 100) }
        let entry = await journal.ledger.sinks["store"]
        // 1 MiB of records of 1,000 bytes.
        XCTAssertLessThanOrEqual(entry?.keptCount ?? 0, 1_048)
        XCTAssertGreaterThanOrEqual(entry?.keptCount ?? 0, 400)
        await assertCloses(journal)
        let redelivery = await journal.redeliver(to: "store", missing: .max)
        XCTAssertEqual(redelivery.records + redelivery.lost, 3_000)
        XCTAssertEqual(redelivery.verified, 0)
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.pending(for: "store"), redelivery.records)
        XCTAssertEqual(ledger.sinks["store"]?.outcome.lost, redelivery.lost)
        await assertCloses(journal)
        let slice = try await journal.read(for: "store", limit: JournalReadLimit(count: .max))
        XCTAssertEqual(slice?.lines.count, Int(redelivery.records), "all of it is there")
    }

    /// The journal of the next run knows how much it keeps before the sink has opened its store.
    func testKept_ofTheLastRun_isLimitedWhileTheStoreCannotBeOpened() async throws {
        let file = SharedJournalFile()
        let sink = limited(bytes: 2 << 20)
        let first = try makeJournal([sink], file: file)
        await advance(first, by: 100)
        await first.saveSinksAlone()
        // No close: the process was killed.
        let journal = try makeJournal([sink], file: file)
        for _ in 0..<100 {
            await publishLines(100, to: journal)
            await journal.commit()
        }
        await journal.saveSinksAlone()
        XCTAssertLessThanOrEqual(file.size, 3 << 20)
        let entry = await journal.ledger.sinks["store"]
        XCTAssertEqual(entry?.keptCount, 0)
        XCTAssertEqual(entry?.unverified?.released, 100)
        await assertCloses(journal)
    }

    /// What was released is still counted, but nothing before the dropped records stays in the file.
    func testDrops_afterARelease_orAfterTheStoreWasOpened_removeRecords() async throws {
        for isOpened in [false, true] {
            let file = SharedJournalFile()
            let journal = try makeJournal([limited(bytes: 2 << 20)], file: file)
            for _ in 0..<3 { await advance(journal, by: 100) }
            let isReleased = await journal.releaseUnverified()
            XCTAssertTrue(isReleased)
            if isOpened { _ = await journal.redeliver(to: "store", missing: 0) }
            for _ in 0..<100 {
                await publishLines(100, to: journal)
                await journal.commit()
            }
            await journal.saveSinksAlone()
            XCTAssertLessThanOrEqual(file.size, 3 << 20)
            let entry = await journal.ledger.sinks["store"]
            XCTAssertEqual(entry?.unverified?.released, 300)
            await assertCloses(journal)
        }
    }

    func testKept_isLimitedByAge() async throws {
        let journal = try makeJournal()
        await advance(journal, by: 10)
        clock.advance(seconds: Journal.unverifiedSeconds + 1)
        await advance(journal, by: 10)
        let entry = await journal.ledger.sinks["store"]
        XCTAssertEqual(entry?.keptCount, 10)
        XCTAssertEqual(entry?.unverified?.released, 10)
    }

    func testKept_isNoLag_andBlocksNoSource() async throws {
        let journal = try makeJournal([limited(bytes: 1 << 30, .block)])
        for _ in 0..<20 { await advance(journal, by: 100) }
        let status = await journal.status
        XCTAssertEqual(status.lags["store"]?.bytes, 0)
        await journal.waitForSpace()
    }

    func testKept_isReleasedWhenTheFileIsFull_andTheCommitSucceeds() async throws {
        // Calls 1 to 3: append, save, append.
        let journal = try makeJournal(
            file: InMemoryJournalFile(fault: .full, fails: { $0 == 3 }))
        await advance(journal, by: 10)
        await journal.saveSinksAlone()
        await advance(journal, by: 10)
        let status = await journal.status
        XCTAssertNil(status.failure)
        XCTAssertEqual(status.ledger.ingest.published, 20)
        XCTAssertEqual(status.ledger.sinks["store"]?.unverified?.released, 10)
        XCTAssertEqual(logLines.count(of: "cannot write"), 0)
        await assertCloses(journal)
    }

    /// The records are in the file as long as the other sink is away.
    func testKept_thatAnotherSinkHasYetToGet_isNotReleased() async throws {
        let journal = try makeJournal([JournalSink("store"), JournalSink("away")])
        await advance(journal, by: 10)
        let isReleased = await journal.releaseUnverified()
        XCTAssertFalse(isReleased, "it would free nothing")
        let entry = await journal.ledger.sinks["store"]
        XCTAssertEqual(entry?.keptCount, 10)
        await assertCloses(journal)
    }

    func testKept_isReleasedOldestFirst() async throws {
        let journal = try makeJournal([JournalSink("store"), JournalSink("other")])
        await advance(journal, by: 10)
        await journal.advance("other", from: 0, to: 10, adding: .delivered(10))
        await advance(journal, by: 10)
        await journal.advance("other", from: 10, to: 20, adding: .delivered(10), isVerifying: true)
        await journal.releaseUnverified()
        var sinks = await journal.ledger.sinks
        XCTAssertEqual(["store", "other"].map { sinks[$0]?.keptCount }, [0, 10])
        await journal.releaseUnverified()
        sinks = await journal.ledger.sinks
        XCTAssertEqual(["store", "other"].map { sinks[$0]?.keptCount }, [0, 0])
        await assertCloses(journal)
    }

    func testSinkThatDoesNotVerify_keepsNothing() async throws {
        let journal = try makeJournal()
        await advance(journal, by: 10)
        await publishLines(10, to: journal)
        await journal.commit()
        await journal.advance("store", from: 10, to: 20, adding: .delivered(10))
        let entry = await journal.ledger.sinks["store"]
        XCTAssertNil(entry?.unverified)
    }

    func testReload_keepsTheUnverified_alsoUnderANewName() async throws {
        let journal = try makeJournal()
        await advance(journal, by: 10)
        try await journal.register([JournalSink("new", previousName: "store")])
        let redelivery = await journal.redeliver(to: "new", missing: 0)
        XCTAssertEqual(redelivery.records, 10)
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.pending(for: "new"), 10)
        XCTAssertEqual(ledger.imbalances, [])
    }
}

extension Ledger.Outcome {
    /// The outcome of records that were all stored.
    static func delivered(_ count: Int64) -> Self {
        var outcome = Self()
        outcome.delivered = count
        return outcome
    }
}
