import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform

/// Tests of a sink that does not accept its batches.
final class SinkRunnerTests: LaneTestCase {
    func testFailure_afterALongOutage_aFewRecordsAreTriedFirst() async throws {
        let journal = try makeJournal()
        await publish(try samples(1_000), to: journal)
        await journal.close()
        let sizes = Sizes()
        let works = Mutex(false)
        let sink = InMemorySink { _, batch in
            sizes.add(batch.count)
            return works.withLock { $0 } ? nil : .retry(reason: "away", after: 40)
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        for _ in 0..<3 {
            await clock.waitForSleepers(1)
            clock.advance(seconds: 40)
        }
        await clock.waitForSleepers(1)
        works.withLock { $0 = true }
        clock.advance(seconds: 40)
        try await delivery.value
        XCTAssertEqual(sizes.all, [1_000, 1_000, 10, 10, 10, 990])
        XCTAssertEqual(sink.records.count, 1_000)
        XCTAssertEqual(logLines.count(of: "warning cannot write; retrying reason=away"), 1)
        XCTAssertEqual(logLines.count(of: "recovered"), 1)
        await assertCloses(journal)
    }

    /// While it is not known what the sink may get, its records wait, and none is filtered.
    func testPermission_thatIsNotKnown_letsTheRecordsWait() async throws {
        struct Unknown: Error {}
        let journal = try makeJournal()
        await publish(try samples(5), to: journal)
        await journal.close()
        let calls = Mutex(0)
        let inner = InMemorySink()
        var sink = Gateway.NamedSink(name: "store", sink: inner)
        sink.permission = {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard call > 2 else { throw Unknown() }
            return nil
        }
        let runner = SinkRunner(sink, journal: journal, clock: clock, log: log)
        let delivery = Task { try await runner.run() }
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            XCTAssertEqual(inner.calls, 0)
            clock.advance(seconds: 60)
        }
        try await delivery.value
        XCTAssertEqual(inner.records.count, 5)
        await assertCloses(journal)
    }

    /// Space that somebody frees is used soon, however long there was none.
    func testStorageFull_isTriedAgainEveryFewSeconds() async throws {
        let journal = try makeJournal()
        await publish(try samples(100), to: journal)
        await journal.close()
        let sink = InMemorySink { call, _ in
            call <= 20 ? .storageFull(reason: "free space on the file system") : nil
        }
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health, seed: 1)
        let delivery = Task { try await runner.run() }
        for _ in 0..<20 {
            await clock.waitForSleepers(1)
            let seconds = try XCTUnwrap(health.nextRetry?.seconds(since: clock.now()))
            XCTAssertLessThanOrEqual(seconds, DeliveryAttempt.storageFullRetrySeconds)
            clock.advance(seconds: seconds)
        }
        try await delivery.value
        XCTAssertEqual(sink.records.count, 100)
        XCTAssertEqual(logLines.count(of: "cannot write; retrying"), 1)
    }

    func testFailure_theWaitIsBoundedWhateverTheServerSays() async throws {
        for after in [Double.infinity, 1e12, 1e300] {
            let journal = try makeJournal()
            await publish(try samples(1), to: journal)
            await journal.close()
            let sink = InMemorySink { call, _ in
                call == 1 ? .retry(reason: "away", after: after) : nil
            }
            let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
            await clock.waitForSleepers(1)
            clock.advance(seconds: DeliveryAttempt.maximumWait)
            try await delivery.value
            XCTAssertEqual(sink.calls, 2)
        }
        for after in [0, -5, Double.nan] {
            let journal = try makeJournal()
            await publish(try samples(1), to: journal)
            await journal.close()
            let sink = InMemorySink { call, _ in
                call == 1 ? .retry(reason: "away", after: after) : nil
            }
            let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
            await clock.waitForSleepers(1)
            XCTAssertEqual(sink.calls, 1, "it must not spin")
            clock.advance(seconds: DeliveryAttempt.minimumWait)
            try await delivery.value
        }
    }

    func testFailure_aSinkThatThrowsACancellationByItself_isTriedAgain() async throws {
        let journal = try makeJournal()
        await publish(try samples(3), to: journal)
        await journal.close()
        let inner = InMemorySink()
        let delivery = Task {
            [runner = runner(journal, ConfusedSink(inner: inner))] in try await runner.run()
        }
        await clock.waitForSleepers(1)
        clock.advance(seconds: 1)
        try await delivery.value
        XCTAssertEqual(inner.records.count, 3)
    }

    func testRetrySignal_aSinkThatHoldsOrWaits_isTriedImmediately() async throws {
        let journal = try makeJournal()
        await publish(try samples(1_000), to: journal)
        let (calls, signal) = AsyncStream.makeStream(of: Int.self)
        let sink = InMemorySink { call, _ in
            signal.yield(call)
            switch call {
            case 1: return .blocked(reason: "wrong token")
            case 2: return .retry(reason: "away", after: 3_600)
            default: return nil
            }
        }
        let (health, retrySignal) = (Health(), RetrySignal())
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health, retrySignal: retrySignal, seed: 1)
        let delivery = Task { try await runner.run() }
        for await call in calls {
            if call == 3 { break }
            await clock.waitForSleepers(1)
            retrySignal.send()
        }
        // No time has passed.
        await sink.waitForRecords(1_000)
        await journal.close()
        try await delivery.value
        XCTAssertEqual(sink.calls, 3)
    }

    /// A repository may have a wrong token for months without any samples.
    func testBlocked_howeverLong_leavesNothingBehind() async throws {
        let journal = try makeJournal()
        await publish(try samples(1), to: journal)
        await journal.commit()
        let sink = InMemorySink { call, _ in call < 20 ? .blocked(reason: "wrong token") : nil }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        for _ in 1..<20 {
            await clock.waitForSleepers(1)
            clock.advance(seconds: DeliveryAttempt.blockedRetrySeconds)
        }
        await sink.waitForRecords(1)
        let listeners = await journal.signals.count
        XCTAssertEqual(listeners, 1)
        await journal.close()
        try await delivery.value
    }

    func testFailure_theWaitIsTheOneThatTheServerAsksFor() async throws {
        let journal = try makeJournal()
        await publish(try samples(1), to: journal)
        await journal.close()
        let sink = InMemorySink { call, _ in
            call == 1 ? .retry(reason: "busy", after: 240) : nil
        }
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health, seed: 1)
        let delivery = Task { try await runner.run() }
        await clock.waitForSleepers(1)
        XCTAssertEqual(health.nextRetry?.seconds(since: clock.now()), 240)
        clock.advance(seconds: 240)
        try await delivery.value
        XCTAssertEqual(sink.calls, 2)
    }

    func testHealth_saysWhenTheNextTryIs() async throws {
        let journal = try makeJournal()
        await publish(try samples(1_000), to: journal)
        let sink = InMemorySink { call, _ in call == 1 ? .blocked(reason: "wrong token") : nil }
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health, seed: 1)
        let delivery = Task { try await runner.run() }
        await clock.waitForSleepers(1)
        XCTAssertEqual(
            health.nextRetry?.seconds(since: clock.now()), DeliveryAttempt.blockedRetrySeconds)
        clock.advance(seconds: DeliveryAttempt.blockedRetrySeconds)
        await sink.waitForRecords(1_000)
        await journal.close()
        try await delivery.value
        XCTAssertNil(health.nextRetry)
    }

    func testBlocked_isReportedOnce() async throws {
        let journal = try makeJournal()
        let running = Task { try await journal.run() }
        await publish(try samples(3_000), to: journal)
        let sink = InMemorySink { call, _ in call < 5 ? .blocked(reason: "wrong token") : nil }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        for call in 1...4 {
            await clock.waitForSleepers(1)
            XCTAssertEqual(sink.calls, call)
            clock.advance(seconds: DeliveryAttempt.blockedRetrySeconds)
        }
        await sink.waitForRecords(3_000)
        await journal.close()
        try await delivery.value
        XCTAssertEqual(logLines.count(of: "wrong token"), 1)
        running.cancel()
        _ = await running.result
    }

    func testRecovered_isReportedAfterASuccess_notAfterARejection() async throws {
        let journal = try makeJournal()
        await publish(try samples(3), to: journal)
        await journal.close()
        let health = Health()
        let seen = Mutex<[String?]>([])
        let sink = InMemorySink { [clock, logLines] call, batch in
            seen.withLock { $0.append(health.failure(at: clock.now())) }
            if call <= 3 { XCTAssertEqual(logLines.count(of: "recovered"), 0) }
            switch call {
            case 1: return .retry(reason: "away", after: 1)
            case 2: return .rejected(Set(batch.map(\.id)), reason: "no")
            default: return nil
            }
        }
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink, options: options(count: 1)),
            journal: journal, clock: clock, log: log, health: health, seed: 1)
        let delivery = Task { try await runner.run() }
        await clock.waitForSleepers(1)
        clock.advance(seconds: 1)
        try await delivery.value
        XCTAssertEqual(logLines.count(of: "recovered"), 1, "\(logLines.all)")
        XCTAssertEqual(
            seen.withLock { $0 }, [nil, "cannot write: away", "all records rejected: no", nil])
        XCTAssertNil(health.failure(at: clock.now()))
    }

    func testClosed_waitsWithoutAWord() async throws {
        let journal = try makeJournal()
        await publish(try samples(3), to: journal)
        await journal.commit()
        let (calls, signal) = AsyncStream.makeStream(of: Int.self)
        let sink = InMemorySink { call, _ in
            signal.yield(call)
            return .closed(reason: "gone")
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        for await _ in calls { break }
        await journal.close()
        _ = await delivery.result
        XCTAssertEqual(logLines.all.filter { $0.contains("gone") }, [])
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.pending(for: "store"), 3)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRejected_onlyWhatIsInTheBatchIsCounted() async throws {
        let journal = try makeJournal()
        let records = try samples(10)
        await publish(records, to: journal)
        await journal.close()
        let ids = Set(records.prefix(2).map(\.id) + (try samples(50, from: 100)).map(\.id))
        let sink = InMemorySink { _, _ in .rejected(ids, reason: "no") }
        try await runner(journal, sink).run()
        let outcome = await journal.ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome?.rejected, 2)
        XCTAssertEqual(outcome?.delivered, 8)
    }

    func testRejected_isReportedAtALimitedRate_andAllIsCounted() async throws {
        let journal = try makeJournal()
        await publish(try samples(100), to: journal)
        await journal.close()
        let sink = InMemorySink { [clock] call, batch in
            if call == 51 { clock.advance(seconds: LossEpisode.logIntervalSeconds) }
            return .rejected(Set(batch.map(\.id)), reason: "no")
        }
        try await runner(journal, sink, options: options(count: 1)).run()
        XCTAssertEqual(logLines.count(of: "records rejected"), 2, "\(logLines.all)")
        XCTAssertEqual(logLines.count(of: "error records rejected records=1 reason=no"), 1)
        XCTAssertEqual(logLines.count(of: "error records rejected records=51 reason=no"), 1)
        let outcome = await journal.ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome?.rejected, 100)
    }
}

/// A sink that throws a cancellation error once without being cancelled.
private final class ConfusedSink: Sink {
    private let inner: InMemorySink
    private let isFirst = Mutex(true)

    init(inner: InMemorySink) { self.inner = inner }

    func write(_ batch: [Record]) async throws {
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isFirst { throw CancellationError() }
        try await inner.write(batch)
    }
}
