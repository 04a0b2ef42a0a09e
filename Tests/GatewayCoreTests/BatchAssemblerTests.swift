import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// Tests of the batches of a sink.
final class BatchAssemblerTests: LaneTestCase {
    /// Delivers all records of a closed journal.
    private func deliver(
        _ records: [Record], with options: SinkOptions
    ) async throws -> (sink: InMemorySink, sizes: [Int]) {
        let journal = try makeJournal()
        for start in stride(from: 0, to: records.count, by: 300) {
            await publish(Array(records[start..<min(start + 300, records.count)]), to: journal)
        }
        await journal.close()
        let sizes = Sizes()
        let sink = InMemorySink { _, batch in
            sizes.add(batch.count)
            return nil
        }
        try await runner(journal, sink, options: options).run()
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.pending(for: "store"), 0)
        XCTAssertEqual(ledger.imbalances, [])
        return (sink, sizes.all)
    }

    func testBatch_byCount() async throws {
        let records = try samples(2_500)
        for count in [1, 7, 999, 1_000, 5_000] {
            let (sink, sizes) = try await deliver(records, with: options(count: count))
            XCTAssertEqual(sink.records, records, "\(count)")
            XCTAssertTrue(sizes.dropLast().allSatisfy { $0 == count }, "\(count): \(sizes)")
            XCTAssertLessThanOrEqual(sizes.last ?? 0, count)
        }
    }

    func testBatch_bySize_aLongRecordComesAlone() async throws {
        let records = try samples(100)
        let line = RecordBatch([records[0]]).lines.bytes.count
        let (_, sizes) = try await deliver(records, with: options(bytes: Int64(line) * 10 + 20))
        XCTAssertTrue(sizes.allSatisfy { (1...11).contains($0) }, "\(sizes)")
        let (sink, single) = try await deliver(records, with: options(bytes: 10))
        XCTAssertEqual(single, [Int](repeating: 1, count: 100))
        XCTAssertEqual(sink.records, records)
    }

    func testBatch_ofAFilteredSink_isFullOfWhatItWants() async throws {
        let records = try (0..<500).flatMap { index in
            [try sample(index, .heartRate), try sample(index, .runningSpeed)]
        }
        let (sink, sizes) = try await deliver(
            records, with: options(count: 100, types: [.runningSpeed]))
        XCTAssertEqual(sizes, [100, 100, 100, 100, 100])
        XCTAssertEqual(sink.records, records.filter { $0.typeName == "runningSpeed" })
    }

    func testBatch_waitsForAFullerOne_butNotLonger() async throws {
        let journal = try makeJournal()
        let running = Task { try await journal.run() }
        let sizes = Sizes()
        let sink = InMemorySink { _, batch in
            sizes.add(batch.count)
            return nil
        }
        let delivery = Task {
            [runner = runner(journal, sink, options: options(count: 3, seconds: 30))] in
            try await runner.run()
        }
        // The first record is committed after 100 ms and then waits for others.
        await publish(try samples(1), to: journal)
        await clock.waitForSleepers(1)
        clock.advance(seconds: Journal.commitDelaySeconds)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 29)
        XCTAssertEqual(sink.calls, 0)
        clock.advance(seconds: 1)
        await sink.waitForRecords(1)
        // A full batch does not wait.
        await publish(try samples(3, from: 1), to: journal)
        while sink.records.count < 4 {
            clock.advance(seconds: Journal.commitDelaySeconds)
            await Task.yield()
        }
        // There is no wait at the end.
        await publish(try samples(1, from: 4), to: journal)
        await journal.close()
        try await delivery.value
        XCTAssertEqual(sizes.all, [1, 3, 1])
        running.cancel()
        _ = await running.result
    }

    /// Publishes and commits single records until they count as a continuous stream.
    private func publishWithoutRest(to journal: Journal, for sink: InMemorySink) async throws {
        for number in 0...CoalescingPolicy.minimumRunLength {
            await publish(try samples(1, from: number), to: journal)
            await journal.commit()
            await sink.waitForRecords(number + 1)
            clock.advance(seconds: 0.1)
        }
    }

    func testBatch_whereCommitFollowsCommit_waitsForASecond_untilItRests() async throws {
        let journal = try makeJournal()
        let sizes = Sizes()
        let sink = InMemorySink { _, batch in
            sizes.add(batch.count)
            return nil
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        // Single records at first.
        try await publishWithoutRest(to: journal, for: sink)
        XCTAssertEqual(sizes.all, [Int](repeating: 1, count: CoalescingPolicy.minimumRunLength + 1))

        let before = sink.records.count
        for number in 0..<9 {
            await publish(try samples(1, from: before + number), to: journal)
            await journal.commit()
            clock.advance(seconds: 0.1)
        }
        await sink.waitForRecords(before + 9)
        XCTAssertEqual(sizes.all.last, 9)

        // A record after a pause does not wait.
        clock.advance(seconds: 10)
        let after = sink.records.count
        await publish(try samples(1, from: after), to: journal)
        await journal.commit()
        await sink.waitForRecords(after + 1)
        XCTAssertEqual(sizes.all.last, 1)
        await journal.close()
        try await delivery.value
        await assertCloses(journal)
    }

    func testBatch_ofTwoStrapsWithAValueASecond_isOneASecond() async throws {
        let journal = try makeJournal()
        let sizes = Sizes()
        let sink = InMemorySink { _, batch in
            sizes.add(batch.count)
            return nil
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        // A pair comes in less than the pause, so the second is there when it ends.
        let alone = CoalescingPolicy.minimumRunLength + 1
        for number in 0..<alone {
            await publish(try samples(1, from: number), to: journal)
            await journal.commit()
            await sink.waitForRecords(number + 1)
            clock.advance(seconds: number.isMultiple(of: 2) ? 0.15 : 0.8)
        }
        XCTAssertEqual(sizes.all, [Int](repeating: 1, count: alone))
        for number in alone..<alone + 2 {
            await publish(try samples(1, from: number), to: journal)
            await journal.commit()
            clock.advance(seconds: number.isMultiple(of: 2) ? 0.15 : 0.8)
        }
        await sink.waitForRecords(alone + 2)
        XCTAssertEqual(sizes.all.last, 2)
        await journal.close()
        try await delivery.value
        await assertCloses(journal)
    }

    /// A sink for which every batch is costly.
    private struct CostlySink: Sink {
        let sink: InMemorySink
        var longestPause: Double { 10 }

        func write(_ batch: [Record]) async throws { try await sink.write(batch) }
    }

    /// Publishes a record every four seconds until they count as a continuous stream.
    private func publishSlowly(to journal: Journal, for sink: InMemorySink) async throws {
        for number in 0...CoalescingPolicy.minimumRunLength {
            await publish(try samples(1, from: number), to: journal)
            await journal.commit()
            await sink.waitForRecords(number + 1)
            clock.advance(seconds: 4)
        }
    }

    private func runner(_ journal: Journal, costly sink: InMemorySink) -> SinkRunner {
        SinkRunner(
            Gateway.NamedSink(name: "store", sink: CostlySink(sink: sink)), journal: journal,
            clock: clock, log: log)
    }

    func testBatch_ofACostlySink_waitsLonger_whereRecordsComeAllTheTime() async throws {
        let journal = try makeJournal()
        let sink = InMemorySink()
        let delivery = Task { [runner = runner(journal, costly: sink)] in try await runner.run() }
        try await publishSlowly(to: journal, for: sink)
        let count = sink.records.count
        await publish(try samples(1, from: count), to: journal)
        await journal.commit()
        await clock.waitForSleepers(1)
        clock.advance(seconds: 4)
        await publish(try samples(1, from: count + 1), to: journal)
        await journal.commit()
        XCTAssertEqual(sink.records.count, count)
        // Ten seconds after the last batch.
        clock.advance(seconds: 2)
        await sink.waitForRecords(count + 2)
        await journal.close()
        try await delivery.value
        await assertCloses(journal)
    }

    func testBatch_ofACostlySink_ofAJournalInMemory_doesNotWaitLonger() async throws {
        let journal = try makeJournal(file: MemoryJournalFile())
        let sink = InMemorySink()
        let delivery = Task { [runner = runner(journal, costly: sink)] in try await runner.run() }
        try await publishSlowly(to: journal, for: sink)
        let count = sink.records.count
        await publish(try samples(1, from: count), to: journal)
        await journal.commit()
        await sink.waitForRecords(count + 1)
        await journal.close()
        try await delivery.value
    }

    func testBatch_thatSomebodyWaitsFor_isGivenAtOnce_theNextOneIsNot() async throws {
        let journal = try makeJournal()
        let sink = InMemorySink()
        let delivery = Task {
            [runner = runner(journal, sink, options: options(seconds: 30))] in
            try await runner.run()
        }
        for round in 1...3 {
            await publish(try samples(1, from: round), to: journal)
            await journal.commit()
            await clock.waitForSleepers(1)
            XCTAssertEqual(sink.records.count, round - 1)
            let isDelivered = await journal.waitForDelivery(to: "store", upTo: Int64(round))
            XCTAssertTrue(isDelivered)
            XCTAssertEqual(sink.records.count, round)
        }
        await journal.close()
        try await delivery.value
    }

    /// The wish may come before the sink collects.
    func testBatch_thatSomebodyWaitedForBefore_doesNotWait() async throws {
        let journal = try makeJournal()
        let waiting = Task { await journal.waitForDelivery(to: "store", upTo: 2) }
        await publish(try samples(1), to: journal)
        await journal.commit()
        let sink = InMemorySink()
        while await !journal.isHastened("store") { await Task.yield() }
        let delivery = Task {
            [runner = runner(journal, sink, options: options(seconds: 30))] in
            try await runner.run()
        }
        await sink.waitForRecords(1)
        await publish(try samples(1, from: 1), to: journal)
        await journal.commit()
        await sink.waitForRecords(2)
        let isDelivered = await waiting.value
        XCTAssertTrue(isDelivered)
        await journal.close()
        try await delivery.value
    }

    func testBatch_thatWaitsForTheLoad_isGivenImmediatelyWhenTheJournalIsClosed() async throws {
        let journal = try makeJournal()
        let sink = InMemorySink()
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        try await publishWithoutRest(to: journal, for: sink)
        let count = sink.records.count
        await publish(try samples(3, from: count), to: journal)
        await journal.commit()
        await clock.waitForSleepers(1)

        await journal.close()
        try await delivery.value

        XCTAssertEqual(sink.records.count, count + 3)
    }
}
