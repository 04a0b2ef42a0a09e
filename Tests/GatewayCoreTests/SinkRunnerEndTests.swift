import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform

/// Tests of a runner that is cancelled while its sink writes, as by a reload.
final class SinkRunnerEndTests: LaneTestCase {
    /// A sink that is slow with the first batch, even if its runner is cancelled.
    private actor SlowSink: Sink {
        private(set) var batches = 0
        private let began: AsyncStream<Void>.Continuation
        private var writing: CheckedContinuation<Void, Never>?

        init(_ began: AsyncStream<Void>.Continuation) {
            self.began = began
        }

        func write(_ batch: [Record]) async throws {
            batches += 1
            guard batches == 1 else { return }
            await withCheckedContinuation { writing in
                self.writing = writing
                began.yield()
            }
        }

        func end() { writing?.resume() }
    }

    /// After a reload another runner continues: the old one must not deliver further records.
    func testCancelled_whileTheSinkWrites_countsThatBatch_andGivesItNoOther() async throws {
        let journal = try makeJournal()
        await publish(try samples(30), to: journal)
        await journal.close()
        let (began, signal) = AsyncStream.makeStream(of: Void.self)
        let sink = SlowSink(signal)
        let delivery = Task { [runner = runner(journal, sink, options: options(count: 10))] in
            try await runner.run()
        }
        for await _ in began { break }
        delivery.cancel()
        await sink.end()
        _ = await delivery.result
        let batches = await sink.batches
        XCTAssertEqual(batches, 1)
        let cursor = await journal.cursor(of: "store")
        XCTAssertEqual(cursor, 10)
        await assertCloses(journal)
    }

    private static let failures: [SinkError] = [
        .retry(reason: "away", after: nil), .storageFull(reason: "no space"),
        .blocked(reason: "wrong token"), .closed(reason: "gone"),
    ]

    /// What made a sink wait may be over: it is asked once more before the gateway ends.
    func testEnd_ofASinkThatWaits_isOneLastAttempt() async throws {
        for failure in Self.failures {
            let journal = try makeJournal()
            await publish(try samples(3), to: journal)
            await journal.commit()
            let sink = InMemorySink { call, _ in call == 1 ? failure : nil }
            let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
            await clock.waitForSleepers(1)
            // No time passes.
            await journal.close()
            try await delivery.value
            XCTAssertEqual(sink.records.count, 3, "\(failure)")
            XCTAssertEqual(sink.calls, 2, "\(failure)")
        }
    }

    func testEnd_whenTheLastAttemptFails_theRestIsPending() async throws {
        for failure in Self.failures {
            let journal = try makeJournal()
            await publish(try samples(3), to: journal)
            await journal.commit()
            let (calls, signal) = AsyncStream.makeStream(of: Int.self)
            let sink = InMemorySink { call, _ in
                signal.yield(call)
                return failure
            }
            let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
            await clock.waitForSleepers(1)
            await journal.close()
            for await call in calls where call == 2 { break }
            // Time may still help one that tries again; the gateway ends it.
            if !failure.needsSomebody {
                await clock.waitForSleepers(1)
                delivery.cancel()
            }
            _ = await delivery.result
            XCTAssertEqual(sink.calls, 2, "\(failure)")
            let ledger = await journal.ledger
            XCTAssertEqual(ledger.pending(for: "store"), 3, "\(failure)")
        }
    }

    /// A server that asks for a pause gets it, also at the end.
    func testEnd_doesNotHurryAServerThatAskedForAPause() async throws {
        let journal = try makeJournal()
        await publish(try samples(3), to: journal)
        await journal.commit()
        let due = clock.now().adding(seconds: 30)
        let sink = InMemorySink { [clock] _, _ in
            clock.now() < due ? .retry(reason: "busy", after: 30) : nil
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        await clock.waitForSleepers(1)
        await journal.close()
        clock.advance(seconds: 30)
        try await delivery.value
        XCTAssertEqual(sink.calls, 2)
    }

    /// Both sinks have the same cursor: a write of one must not count for the other.
    func testCancelled_whileTheNamesAreSwapped_countsForNoOtherSink() async throws {
        let journal = try makeJournal([JournalSink("store"), JournalSink("repo")])
        await publish(try samples(10), to: journal)
        await journal.close()
        let (began, signal) = AsyncStream.makeStream(of: Void.self)
        let sink = SlowSink(signal)
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        for await _ in began { break }
        delivery.cancel()
        try await journal.register([
            JournalSink("store", previousName: "repo"), JournalSink("repo", previousName: "store"),
        ])
        await sink.end()
        _ = await delivery.result
        let ledger = await journal.ledger
        XCTAssertEqual([ledger.pending(for: "store"), ledger.pending(for: "repo")], [10, 10])
        XCTAssertEqual(ledger.imbalances, [])
    }
}

extension SinkError {
    /// Whether only somebody can end the failure, and not the time.
    fileprivate var needsSomebody: Bool {
        switch self {
        case .blocked, .closed: true
        case .retry, .storageFull, .rejected: false
        }
    }
}
