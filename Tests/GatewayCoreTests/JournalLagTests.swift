import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Readings

/// Tests of a sink that exceeds its buffer limit.
final class JournalLagTests: LaneTestCase {
    private func delivered(_ count: Int64) -> Ledger.Outcome {
        var outcome = Ledger.Outcome()
        outcome.delivered = count
        return outcome
    }

    func testDropOldest_theCursorJumpsToTheOldestBatchWithinTheLimit() async throws {
        let journal = try makeJournal([limited()])
        // A batch has 1,000 records of 1,000 bytes, so a limit of 256 KiB retains only the newest one.
        for _ in 0..<3 { await publishLines(1_000, to: journal) }
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.cursor, 2_000)
        XCTAssertEqual(ledger.sinks["store"]?.outcome.dropped, 2_000)
        XCTAssertEqual(ledger.pending(for: "store"), 1_000)
        XCTAssertEqual(ledger.imbalances, [])
        let slice = try await journal.read(for: "store", limit: JournalReadLimit(count: 10))
        XCTAssertEqual(slice?.start, 2_000)
    }

    func testDropOldest_asMuchAsTheLimitIsKept() async throws {
        let journal = try makeJournal([limited(bytes: 3_500_000)])
        for _ in 0..<10 { await publishLines(1_000, to: journal) }
        let status = await journal.status
        XCTAssertEqual(status.lags["store"]?.records, 3_000)
        XCTAssertEqual(status.lags["store"]?.bytes, 3_000_000)
        XCTAssertEqual(status.ledger.sinks["store"]?.outcome.dropped, 7_000)
    }

    func testDropOldest_byAge_countsTheTimeOfTheCommit_andNoStepOfTheWallClock() async throws {
        let journal = try makeJournal([limited(bytes: .max >> 8, seconds: 100)])
        await publishLines(1_000, to: journal)
        clock.advance(seconds: 60)
        clock.stepWallClock(seconds: 1_000_000)
        await publishLines(1_000, to: journal)
        var status = await journal.status
        XCTAssertEqual(status.lags["store"]?.records, 2_000)
        XCTAssertEqual(status.lags["store"]?.seconds ?? 0, 60, accuracy: 0.001)
        clock.advance(seconds: 41)
        await publishLines(1_000, to: journal)
        status = await journal.status
        XCTAssertEqual(status.lags["store"]?.records, 2_000)
        XCTAssertEqual(status.ledger.sinks["store"]?.outcome.dropped, 1_000)
        XCTAssertEqual(status.ledger.imbalances, [])
    }

    func testDropOldest_afterAStart_theNewestBatchIsKept() async throws {
        let file = SharedJournalFile()
        let before = try makeJournal([limited(bytes: 1 << 30)], file: file)
        for _ in 0..<3 { await publishLines(1_000, to: before) }
        await before.close()
        let journal = try makeJournal([limited()], file: file)
        try await journal.register([limited()])
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.outcome.dropped, 2_000)
        XCTAssertEqual(ledger.pending(for: "store"), 1_000)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testDropOldest_concernsOnlyTheSinkThatLags() async throws {
        let journal = try makeJournal([limited("dead"), limited("store")])
        for round in 1...5 {
            await publishLines(1_000, to: journal)
            let end = Int64(round) * 1_000
            await journal.advance("store", from: end - 1_000, to: end, adding: delivered(1_000))
        }
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.outcome, delivered(5_000))
        XCTAssertEqual(ledger.sinks["dead"]?.outcome.dropped, 4_000)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testDropOldest_whatIsAtTheSinkMeanwhile_isDeliveredAndNotDropped() async throws {
        let journal = try makeJournal([limited()])
        await publishLines(1_000, to: journal)
        let slice = try await journal.read(for: "store", limit: JournalReadLimit(count: 500))
        XCTAssertEqual(slice?.start, 0)
        for _ in 0..<3 { await publishLines(1_000, to: journal) }
        var ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.outcome.dropped, 3_000)
        await journal.advance("store", from: 0, to: 500, adding: delivered(500))
        ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.cursor, 3_000)
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, 500)
        XCTAssertEqual(ledger.sinks["store"]?.outcome.dropped, 2_500)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testDropOldest_isReportedOnceAndWhenItIsOver() async throws {
        let journal = try makeJournal([limited()])
        for _ in 0..<20 { await publishLines(1_000, to: journal) }
        XCTAssertEqual(logLines.count(of: "warning sink buffer is full"), 1, "\(logLines.all)")
        clock.advance(seconds: LossEpisode.logIntervalSeconds)
        for _ in 0..<3 { await publishLines(1_000, to: journal) }
        XCTAssertEqual(logLines.count(of: "warning sink buffer is full"), 2, "\(logLines.all)")
        XCTAssertEqual(logLines.count(of: "keeps up"), 0)
        await journal.advance("store", from: 22_000, to: 23_000, adding: delivered(1_000))
        XCTAssertEqual(
            logLines.all.last, "info sink caught up sink=store dropped=22000")
        await assertCloses(journal)
    }

    /// A sink with a hanging write loses the oldest records, not the newest, and the ledger balances.
    func testDropOldest_whileTheSinkWrites_theRunnerContinuesBehindTheJump() async throws {
        let journal = try makeJournal([limited()])
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let sink = GatedSink(gate: gate)
        await publish(try samples(1_000), to: journal)
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        await sink.waitForCall()
        for start in 1...5 { await publish(try samples(1_000, from: start * 1_000), to: journal) }
        open.finish()
        await journal.close()
        try await delivery.value
        let ledger = await journal.ledger
        let outcome = try XCTUnwrap(ledger.sinks["store"]?.outcome)
        XCTAssertEqual(outcome.delivered + outcome.dropped, 6_000)
        XCTAssertGreaterThan(outcome.dropped, 0)
        XCTAssertEqual(Int64(sink.records.count), outcome.delivered)
        XCTAssertEqual(sink.records.first?.id, try sample(0).id)
        XCTAssertEqual(sink.records.last?.id, try sample(5_999).id)
        await assertCloses(journal)
    }

    func testBlock_whoCanWaitWaits_untilTheSinkHasCaughtUp() async throws {
        let journal = try makeJournal([limited("store", .block)])
        await publishLines(1_000, to: journal, canWait: true)
        let waiting = Task { await publishLines(1_000, to: journal, canWait: true) }
        while await journal.waitingSources == 0 { await Task.yield() }
        // A source that cannot wait is not blocked.
        await publishLines(1_000, to: journal)
        var ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest.published, 2_000)
        XCTAssertEqual(ledger.sinks["store"]?.outcome.dropped, 0)
        await journal.advance("store", from: 0, to: 2_000, adding: delivered(2_000))
        await waiting.value
        ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest.published, 3_000)
        XCTAssertEqual(ledger.imbalances, [])
    }

    /// A source that can wait is blocked, one that cannot wait is not.
    func testBlock_holdsUpASourceThatCanWait_andNothingElse() async throws {
        let journal = try makeJournal([limited("store", .block)])
        let live = LiveLane()
        let seen = Mutex(0)
        let subscription = live.subscribe { batch in seen.withLock { $0 += batch.records.count } }
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: People(), version: "1",
            log: log)
        await publishLines(1_000, to: journal)
        let report = DeviceReport(device: "d", .opened(Device(name: "D"), at: clock.now()))
        let program = Task {
            await pipeline.inlet(for: "program", canWait: true).report(report)
        }
        while await journal.waitingSources == 0 { await Task.yield() }
        XCTAssertEqual(seen.withLock { $0 }, 0)
        await pipeline.inlet(for: "strap").report(report)
        XCTAssertEqual(seen.withLock { $0 }, 1)
        await journal.advance("store", from: 0, to: 1_000, adding: delivered(1_000))
        await program.value
        XCTAssertEqual(seen.withLock { $0 }, 2)
        await journal.close()
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest.published, 1_002)
        live.cancel(subscription)
    }

    /// A reload ends a source that waits; with its report its device would come back.
    func testBlock_lettingASourceGoThatIsCancelled_losesItsReport() async throws {
        let journal = try makeJournal([limited("store", .block)])
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log)
        await publishLines(1_000, to: journal)
        let receipt = ReportReceipt()
        let reading = TimedReading(
            .instant(.heartRate, try Quantity(70, .countPerMinute)), at: clock.now())
        let report = DeviceReport(device: "d", .readings([reading]), receipt: receipt)
        let program = Task {
            await pipeline.inlet(for: "program", canWait: true).report(report)
        }
        while await journal.waitingSources == 0 { await Task.yield() }
        program.cancel()
        await program.value
        let outcome = try await receipt.outcome()
        XCTAssertEqual(outcome, .lost)
        let devices = await pipeline.deviceStatus()
        XCTAssertEqual(devices, [])
        let waiting = await journal.waitingSources
        XCTAssertEqual(waiting, 0)
    }

    func testBlock_closingLetsEverybodyGo() async throws {
        let journal = try makeJournal([limited("store", .block)])
        await publishLines(1_000, to: journal, canWait: true)
        let waiting = Task { await publishLines(1_000, to: journal, canWait: true) }
        while await journal.waitingSources == 0 { await Task.yield() }
        await journal.close()
        await waiting.value
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest.published, 1_000)
    }

    func testAdvance_ofTheSameRecordsTwice_countsOnce() async throws {
        let journal = try makeJournal()
        await publishLines(1_000, to: journal)
        await journal.advance("store", from: 0, to: 100, adding: delivered(100))
        // The runner before a reload, whose write returned late.
        await journal.advance("store", from: 0, to: 100, adding: delivered(100))
        let cursor = await journal.cursor(of: "store")
        XCTAssertEqual(cursor, 100)
        let outcome = await journal.ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome, delivered(100))
        await assertCloses(journal)
    }

    func testRegister_namesThatMoveOn_areNotCalledDiscarded_andOneThatIsGoneIs() async throws {
        let journal = try makeJournal([JournalSink("a"), JournalSink("b")])
        await publish(try samples(3), to: journal)
        await journal.commit()
        let renamed = [JournalSink("b", previousName: "a"), JournalSink("c", previousName: "b")]
        try await journal.register(renamed)
        XCTAssertEqual(logLines.all, [])
        let ledger = await journal.ledger
        XCTAssertEqual([ledger.pending(for: "b"), ledger.pending(for: "c")], [3, 3])
        try await journal.register([renamed[1]])
        XCTAssertEqual(
            logLines.count(of: "discarding its pending records sink=b records=3"), 1,
            "\(logLines.all)")
    }

    func testCursor_isSavedAfterASecond_orWithTheNextCommit() async throws {
        let file = SharedJournalFile()
        let journal = try makeJournal(file: file)
        let running = Task { try await journal.run() }
        await publishLines(1_000, to: journal)
        await journal.advance("store", from: 0, to: 100, adding: delivered(100))
        XCTAssertEqual(file.savedCursor("store"), 0)
        while file.savedCursor("store") != 100 {
            clock.advance(seconds: Journal.saveDelaySeconds)
            await Task.yield()
        }

        await journal.advance("store", from: 100, to: 300, adding: delivered(200))
        await publishLines(1_000, to: journal)
        XCTAssertEqual(file.savedCursor("store"), 300)
        await journal.advance("store", from: 300, to: 400, adding: delivered(100))
        await journal.close()
        XCTAssertEqual(file.savedCursor("store"), 400)
        // It may sleep before a commit that is already done.
        running.cancel()
        _ = await running.result
    }

    func testMemory_atTheEnd_whatNoSinkHasTakenIsLost() async throws {
        let journal = try makeJournal([JournalSink("store")], file: MemoryJournalFile())
        await publishLines(1_000, to: journal)
        await journal.advance("store", from: 0, to: 600, adding: delivered(600))
        await journal.close()
        await journal.finish()
        // A write that returns too late has no effect.
        await journal.advance("store", from: 600, to: 1_000, adding: delivered(400))
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.outcome.lost, 400)
        XCTAssertEqual(ledger.pending(for: "store"), 0)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(logLines.count(of: "in memory"), 1)
    }

    func testMemory_isBoundedWhateverTheLimitOfTheSink() async throws {
        let journal = try makeJournal(
            [limited(bytes: .max >> 8)], file: MemoryJournalFile())
        for _ in 0..<80 { await publishLines(1_000, to: journal) }
        let status = await journal.status
        XCTAssertLessThanOrEqual(status.bytes, MemoryJournalFile.byteLimit)
        XCTAssertGreaterThan(status.bytes, MemoryJournalFile.byteLimit - 2_000_000)
        XCTAssertTrue(status.isInMemory)
        XCTAssertEqual(status.ledger.imbalances, [])
    }

    func testTime_ofAClockThatWasNotSet_saysNothingAboutTheAge() {
        let time = JournalTime(clock: clock, notBefore: JournalTime.earliest)
        let place = JournalPlace(first: 0, position: 0, time: Instant(nanosecondsSince1970: 7))
        clock.advance(seconds: 5)
        XCTAssertEqual(time.age(of: place), 5)
        var bound = JournalBound()
        time.bound(seconds: 10, in: &bound)
        XCTAssertTrue(bound.admits(place))
        var narrow = JournalBound()
        time.bound(seconds: 3, in: &narrow)
        XCTAssertFalse(narrow.admits(place))
    }

    func testTime_neverGoesBackBehindTheNewestBatch() {
        let future = clock.epoch().instant(at: clock.now()).adding(nanoseconds: 1 << 60)
        let time = JournalTime(clock: clock, notBefore: future)
        XCTAssertEqual(time.now(), future)
        clock.advance(seconds: 2)
        XCTAssertEqual(
            time.age(of: JournalPlace(first: 0, position: 0, time: future)), 2, accuracy: 1e-6)
    }
}

/// A sink whose first write waits for a gate.
final class GatedSink: Sink {
    private let inner = InMemorySink()
    private let gate: AsyncStream<Void>
    private let (called, call) = AsyncStream.makeStream(of: Void.self)

    init(gate: AsyncStream<Void>) { self.gate = gate }

    var records: [Record] { inner.records }

    func waitForCall() async { for await _ in called { return } }

    func write(_ batch: [Record]) async throws {
        call.yield()
        for await _ in gate {}
        try await inner.write(batch)
    }
}
