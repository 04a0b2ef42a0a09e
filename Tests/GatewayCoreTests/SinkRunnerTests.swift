import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore

/// How a sink gets its batches, and what happens when it does not take them.
final class SinkRunnerTests: LaneTestCase {
    /// The sizes of the batches that a sink was given.
    private final class Sizes: Sendable {
        private let sizes = Mutex<[Int]>([])

        var all: [Int] { sizes.withLock { $0 } }

        func add(_ size: Int) { sizes.withLock { $0.append(size) } }
    }

    private func options(
        count: Int = 1_000, bytes: Int64 = 1 << 20, seconds: Double = 0,
        types: Set<QuantityType>? = nil
    ) -> SinkOptions {
        var options = SinkOptions()
        (options.batch.count, options.batch.bytes) = (count, bytes)
        options.batch.seconds = seconds
        options.types = types
        return options
    }

    /// Delivers everything that is in a closed journal.
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
        // The first record is committed after 100 ms, and then waits for others.
        await publish(try samples(1), to: journal)
        await clock.waitForSleepers(1)
        clock.advance(seconds: Journal.commitDelaySeconds)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 29)
        XCTAssertEqual(sink.calls, 0)
        clock.advance(seconds: 1)
        await sink.waitForRecords(1)
        // A batch that is full waits no longer.
        await publish(try samples(3, from: 1), to: journal)
        await clock.waitForSleepers(1)
        clock.advance(seconds: Journal.commitDelaySeconds)
        await sink.waitForRecords(4)
        // At the end nothing is waited for.
        await publish(try samples(1, from: 4), to: journal)
        await journal.close()
        try await delivery.value
        XCTAssertEqual(sizes.all, [1, 3, 1])
        running.cancel()
        _ = await running.result
    }

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
        XCTAssertEqual(logLines.count(of: "warning cannot write: away"), 1)
        XCTAssertEqual(logLines.count(of: "works again"), 1)
        await assertCloses(journal)
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
            clock.advance(seconds: SinkWriting.longestWait)
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
            clock.advance(seconds: SinkWriting.shortestWait)
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

    func testNudge_aSinkThatHoldsOrWaits_isTriedAtOnce() async throws {
        let journal = try makeJournal()
        await publish(try samples(1_000), to: journal)
        let (calls, signal) = AsyncStream.makeStream(of: Int.self)
        let sink = InMemorySink { call, _ in
            signal.yield(call)
            switch call {
            case 1: return .hold(reason: "wrong token")
            case 2: return .retry(reason: "away", after: 3_600)
            default: return nil
            }
        }
        let (health, nudge) = (Health(), Nudge())
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health, nudge: nudge, seed: 1)
        let delivery = Task { try await runner.run() }
        for await call in calls {
            if call == 3 { break }
            await clock.waitForSleepers(1)
            nudge.give()
        }
        // No time has passed.
        await sink.waitForRecords(1_000)
        await journal.close()
        try await delivery.value
        XCTAssertEqual(sink.calls, 3)
    }

    func testHealth_saysWhenTheNextTryIs() async throws {
        let journal = try makeJournal()
        await publish(try samples(1_000), to: journal)
        let sink = InMemorySink { call, _ in call == 1 ? .hold(reason: "wrong token") : nil }
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health, seed: 1)
        let delivery = Task { try await runner.run() }
        await clock.waitForSleepers(1)
        XCTAssertEqual(
            health.nextTry?.seconds(since: clock.now()), SinkWriting.holdSeconds)
        clock.advance(seconds: SinkWriting.holdSeconds)
        await sink.waitForRecords(1_000)
        await journal.close()
        try await delivery.value
        XCTAssertNil(health.nextTry)
    }

    func testHold_isSaidOnce() async throws {
        let journal = try makeJournal()
        let running = Task { try await journal.run() }
        await publish(try samples(3_000), to: journal)
        let sink = InMemorySink { call, _ in call < 5 ? .hold(reason: "wrong token") : nil }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        for call in 1...4 {
            await clock.waitForSleepers(1)
            XCTAssertEqual(sink.calls, call)
            clock.advance(seconds: SinkWriting.holdSeconds)
        }
        await sink.waitForRecords(3_000)
        await journal.close()
        try await delivery.value
        XCTAssertEqual(logLines.count(of: "wrong token"), 1)
        running.cancel()
        _ = await running.result
    }

    func testRefused_onlyWhatIsInTheBatchIsCounted() async throws {
        let journal = try makeJournal()
        let records = try samples(10)
        await publish(records, to: journal)
        await journal.close()
        let ids = Set(records.prefix(2).map(\.id) + (try samples(50, from: 100)).map(\.id))
        let sink = InMemorySink { _, _ in .refused(ids, reason: "no") }
        try await runner(journal, sink).run()
        let outcome = await journal.ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome?.refused, 2)
        XCTAssertEqual(outcome?.delivered, 8)
    }

    func testLineSink_getsTheLinesOfItsTypes_asTheyStand() async throws {
        let journal = try makeJournal()
        let wanted = try samples(5, .runningSpeed)
        let event = Record.event(
            DeviceEvent(
                id: try sample(9).id, at: Instant(nanosecondsSince1970: 0),
                device: Device(name: "D"),
                state: DeviceState(contact: true)))
        // A record as another program may write it: the type does not stand where it usually does.
        let odd =
            #"{"kind":"sample","type":"runningSpeed","id":"\#(try sample(8).id)","#
            + #""start":"2026-11-21T18:15:00Z","end":"2026-11-21T18:15:00Z","value":1,"unit":"m/s"}"#
        var lines = RecordBatch(try samples(3) + wanted + [event]).lines
        lines.append(RecordLines(Array("\(odd)\nno record\n".utf8)))
        var addition = Ledger.Intake()
        (addition.converted, addition.published) = (11, 11)
        await journal.append(lines, addition: addition)
        await journal.close()
        let sink = LineRecorder()
        try await runner(journal, sink, options: options(types: [.runningSpeed])).run()
        let expected = RecordBatch(wanted).lines.bytes + Array("\(odd)\n".utf8)
        XCTAssertEqual(sink.bytes.withLock { $0 }, expected)
        let outcome = await journal.ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome?.delivered, 6)
        XCTAssertEqual(outcome?.filtered, 4)
        XCTAssertEqual(outcome?.lost, 1)
        await assertCloses(journal)
    }

    func testStatus_ofASinkThatNeverReturns_tellsSinceWhen() async throws {
        let journal = try makeJournal()
        await publish(try samples(1), to: journal)
        await journal.close()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let sink = GatedSink(gate: gate)
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health)
        let delivery = Task { try await runner.run() }
        await sink.waitForCall()
        XCTAssertEqual(health.writingSince, clock.now())
        open.finish()
        try await delivery.value
        XCTAssertNil(health.writingSince)
    }

    func testHealth_failsSinceTheFirstFailure() {
        let health = Health()
        let start = clock.now()
        health.fail("a", at: start)
        health.fail("b", at: start.adding(nanoseconds: 5))
        XCTAssertEqual(health.failingSince(at: start.adding(nanoseconds: 9)), start)
        health.recover()
        XCTAssertNil(health.failingSince(at: start))
        health.fail("c", at: start.adding(nanoseconds: 7))
        XCTAssertEqual(
            health.failingSince(at: start.adding(nanoseconds: 9)), start.adding(nanoseconds: 7))
    }

    func testBackoff_isTheSameForTheSameSeed() {
        var (first, second) = (SinkWriting.backoff, SinkWriting.backoff)
        var (one, other) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
        for _ in 0..<10 {
            XCTAssertEqual(first.next(using: &one), second.next(using: &other))
        }
    }
}

/// Keeps the lines it is given.
private final class LineRecorder: LineSink {
    let bytes = Mutex<[UInt8]>([])

    func write(_ batch: RecordLines) async throws {
        bytes.withLock { $0 += batch.bytes }
    }
}

/// Throws a cancellation once, although nobody has cancelled anything.
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
