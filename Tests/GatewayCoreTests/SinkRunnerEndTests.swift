import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

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
