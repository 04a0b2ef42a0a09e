import GatewayTesting
import HealthModel
import Platform
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Readings

/// A store in memory that verifies when it is told to, and can be taken away.
private final class FragileSink: VerifyingSink {
    private struct State {
        var stored: [RecordID: Record] = [:]
        var answers: [StoreState] = []
        var writes = 0
        var failures: [SinkError] = []
        var verifiesWhenAsked = false
    }

    private let state = Mutex(State())

    var ids: Set<RecordID> { state.withLock { Set($0.stored.keys) } }
    var writes: Int { state.withLock { $0.writes } }

    /// Answers the next questions; the other ones with `unverified`.
    func answer(_ answers: StoreState...) { state.withLock { $0.answers += answers } }

    /// Fails the next questions.
    func fail(_ failures: SinkError...) { state.withLock { $0.failures += failures } }

    /// Verifies what it has stored, but only when somebody wants it at once.
    func verifyWhenAsked() { state.withLock { $0.verifiesWhenAsked = true } }

    /// Loses everything, as when its file was removed.
    func replace() {
        state.withLock { state in
            state.stored = [:]
            state.answers = [.opened(.nothing)]
        }
    }

    func write(_ batch: [Record]) async throws {
        state.withLock { state in
            state.writes += 1
            for record in batch { state.stored[record.id] = record }
        }
    }

    func verify(isAtEnd: Bool) async throws -> StoreState {
        try state.withLock { state in
            if !state.failures.isEmpty { throw state.failures.removeFirst() }
            guard state.answers.isEmpty else { return state.answers.removeFirst() }
            return isAtEnd && state.verifiesWhenAsked ? .verified : .unverified
        }
    }
}

/// A sink that verifies what it has stored: the journal keeps the rest and delivers it again.
final class VerifyingSinkTests: LaneTestCase {
    private let sink = FragileSink()

    /// Publishes records and lets a runner deliver them until they are.
    private func deliver(_ records: [Record], through journal: Journal) async throws {
        let runner = runner(journal, sink)
        await publish(records, to: journal)
        await journal.commit()
        let end = await journal.ledger.ingest.published
        let running = Task { try await runner.run() }
        let isDelivered = await journal.waitForDelivery(to: "store", upTo: end)
        XCTAssertTrue(isDelivered)
        running.cancel()
        _ = await running.result
    }

    private func outcome(_ journal: Journal) async -> Ledger.Outcome {
        await journal.ledger.sinks["store"]?.outcome ?? Ledger.Outcome()
    }

    func testStoreThatIsReplaced_getsWhatItHadNotVerified_andCountsItOnce() async throws {
        let journal = try makeJournal()
        sink.answer(.opened(.nothing))
        try await deliver(samples(10), through: journal)
        sink.answer(.verified)
        try await deliver(samples(10, from: 10), through: journal)
        try await deliver(samples(10, from: 20), through: journal)
        var kept = await journal.ledger.sinks["store"]?.keptCount
        XCTAssertEqual(kept, 20)
        sink.replace()
        try await deliver(samples(10, from: 30), through: journal)
        XCTAssertEqual(sink.ids, Set(try samples(30, from: 10).map(\.id)))
        let outcome = await outcome(journal)
        XCTAssertEqual(outcome.delivered, 40)
        kept = await journal.ledger.sinks["store"]?.keptCount
        XCTAssertEqual(kept, 30, "nothing of the new store is verified")
        await assertCloses(journal)
        XCTAssertEqual(
            logLines.all.filter { $0.contains("the store is new") },
            [
                "warning the store is new; delivering again what was not verified in the earlier "
                    + "one records=20 lost=0 onlyInEarlier=10"
            ])
        let restored = await journal.status.restored["store"]
        XCTAssertEqual(restored?.records, 20)
        XCTAssertEqual(restored?.verified, 10)
    }

    func testFirstStore_isNoLoss() async throws {
        let journal = try makeJournal()
        sink.answer(.opened(.nothing))
        try await deliver(samples(10), through: journal)
        let restored = await journal.status.restored
        XCTAssertEqual(restored, [:])
        XCTAssertEqual(logLines.all, [])
    }

    func testStoreThatIsAnEarlierState_tellsWhatItLacks() async throws {
        let journal = try makeJournal()
        try await deliver(samples(10), through: journal)
        sink.answer(.verified)
        try await deliver(samples(10, from: 10), through: journal)
        sink.answer(.opened(.earlier(missing: 13)))
        try await deliver(samples(10, from: 20), through: journal)
        XCTAssertEqual(
            logLines.all,
            [
                "warning the store is an earlier state; delivering again what was not verified "
                    + "records=10 lost=0 onlyInEarlier=3"
            ])
        let restored = await journal.status.restored["store"]
        XCTAssertEqual(restored?.verified, 3)
        let outcome = await outcome(journal)
        XCTAssertEqual(outcome.delivered, 30)
        await assertCloses(journal)
    }

    func testStoreThatIsOpenedAgain_getsTheSameOnce() async throws {
        let journal = try makeJournal()
        try await deliver(samples(10), through: journal)
        sink.answer(.opened(.everything))
        try await deliver(samples(10, from: 10), through: journal)
        XCTAssertEqual(sink.ids.count, 20)
        let outcome = await outcome(journal)
        XCTAssertEqual(outcome.delivered, 20)
        XCTAssertEqual(outcome.lost, 0)
        await assertCloses(journal)
    }

    func testVerifiedRecords_areRemoved() async throws {
        let file = SharedJournalFile()
        let journal = try makeJournal(file: file)
        for start in 0..<5 { try await deliver(samples(10, from: 10 * start), through: journal) }
        await journal.saveSinksAlone()
        XCTAssertGreaterThan(file.size, 0)
        await journal.noteVerified("store")
        await journal.saveSinksAlone()
        XCTAssertEqual(file.size, 0)
        await assertCloses(journal)
    }

    func testNextRun_deliversAgainWhatWasNotVerified_alsoWithoutNewRecords() async throws {
        let file = SharedJournalFile()
        do {
            let journal = try makeJournal(file: file)
            try await deliver(samples(10), through: journal)
            await journal.saveSinksAlone()
        }
        // No close: the process was killed.
        let journal = try makeJournal(file: file)
        sink.replace()
        await journal.close()
        try await runner(journal, sink).run()
        XCTAssertEqual(sink.ids.count, 10)
        let outcome = await outcome(journal)
        XCTAssertEqual(outcome.delivered, 10)
        await assertCloses(journal)
    }

    func testEnd_verifies_sothatTheNextRunDeliversNothingAgain() async throws {
        let journal = try makeJournal()
        await publish(try samples(10), to: journal)
        await journal.close()
        sink.answer(.unverified, .verified)
        try await runner(journal, sink).run()
        let entry = await journal.ledger.sinks["store"]
        XCTAssertEqual(entry?.outcome.delivered, 10)
        XCTAssertNil(entry?.unverified)
    }

    func testDamage_keepsTheBatch_andIsAFailureOfTheSink() async throws {
        let journal = try makeJournal()
        sink.fail(.retry(reason: "damaged", after: nil), .retry(reason: "damaged", after: nil))
        sink.answer(.unverified)
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock,
            log: log, health: health, seed: 1)
        await publish(try samples(10), to: journal)
        await journal.commit()
        let running = Task { try await runner.run() }
        await clock.waitForSleepers(1)
        XCTAssertEqual(sink.writes, 0)
        XCTAssertEqual(health.failure(at: clock.now()), "cannot write: damaged")
        clock.advance(seconds: 1)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 2)
        _ = await journal.waitForDelivery(to: "store", upTo: 10)
        XCTAssertEqual(sink.ids.count, 10)
        XCTAssertNil(health.failure(at: clock.now()))
        running.cancel()
        _ = await running.result
    }

    /// A store has no space while the journal has: what is kept is given up for it.
    func testKept_isReleasedWhenAStoreIsFull_andThatIsSaid() async throws {
        let file = SharedJournalFile()
        let journal = try makeJournal([JournalSink("store"), JournalSink("other")], file: file)
        try await deliver(samples(10), through: journal)
        await journal.advance("other", from: 0, to: 10, adding: .delivered(10), isVerifying: true)
        sink.answer(.full)
        try await deliver(samples(10, from: 10), through: journal)
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.unverified?.released, 10)
        XCTAssertEqual(ledger.sinks["store"]?.keptCount, 10, "the next ones are kept")
        XCTAssertEqual(ledger.sinks["other"]?.unverified?.released, 10)
        let first = try file.place(after: 0, within: JournalBound())
        XCTAssertEqual(first?.first, 10, "the space is free")
        await assertCloses(journal)
        let message = "warning no space: stored records are no longer kept until they are verified"
        XCTAssertEqual(
            logLines.all.sorted(),
            ["\(message) sink=other records=10", "\(message) sink=store records=10"])

        sink.answer(.full)
        try await deliver(samples(10, from: 20), through: journal)
        XCTAssertEqual(logLines.all.count, 2, "once in ten minutes")
    }

    /// What is no longer kept would be lost with the store: it is verified at once, in a quiet time, too.
    func testReleased_isVerifiedAtOnce() async throws {
        let journal = try makeJournal()
        sink.verifyWhenAsked()
        let runner = runner(journal, sink)
        await publish(try samples(10), to: journal)
        await journal.commit()
        let running = Task { try await runner.run() }
        _ = await journal.waitForDelivery(to: "store", upTo: 10)
        await journal.releaseUnverified()
        while await journal.hasUnverified("store") {
            try Task.checkCancellation()
            await Task.yield()
        }
        let redelivery = await journal.redeliver(to: "store", missing: 10)
        XCTAssertEqual(redelivery.lost, 0)
        running.cancel()
        _ = await running.result
    }
}
