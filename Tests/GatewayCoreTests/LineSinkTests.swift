import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// Tests of sinks that accept lines of the journal.
final class LineSinkTests: LaneTestCase {
    func testRejected_byALineSink_linesThatAreNoRecordsCountAsLost() async throws {
        let journal = try makeJournal()
        let records = try samples(3)
        var lines = RecordBatch(records).lines
        lines.append(RecordLines(Array("no record\n".utf8)))
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (4, 4)
        await journal.append(lines, addition: addition)
        await journal.close()
        let sink = ScriptedLineSink { _, _ in .rejected([records[1].id], reason: "no") }
        try await runner(journal, sink).run()
        let outcome = await journal.ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome?.delivered, 2)
        XCTAssertEqual(outcome?.rejected, 1)
        XCTAssertEqual(outcome?.lost, 1)
        await assertCloses(journal)
    }

    /// It may have stored the start of the batch: a smaller batch would succeed without an attempt.
    func testFailure_afterALongOutage_aLineSinkGetsTheSameBatch() async throws {
        let journal = try makeJournal()
        await publish(try samples(1_000), to: journal)
        await journal.close()
        let sizes = Sizes()
        let sink = ScriptedLineSink { call, batch in
            sizes.add(batch.count)
            return call < 5 ? .retry(reason: "away", after: 40) : nil
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        for _ in 0..<4 {
            await clock.waitForSleepers(1)
            clock.advance(seconds: 40)
        }
        try await delivery.value
        XCTAssertEqual(sizes.all, [1_000, 1_000, 1_000, 1_000, 1_000])
        XCTAssertEqual(logLines.count(of: "recovered"), 1)
    }

    func testBlocked_ofSomeRecords_comesAgainWithWhatHasComeMeanwhile() async throws {
        let journal = try makeJournal()
        await publish(try samples(3), to: journal)
        await journal.commit()
        let sizes = Sizes()
        let (taken, take) = AsyncStream.makeStream(of: Void.self)
        let sink = ScriptedLineSink { call, batch in
            sizes.add(batch.count)
            if call > 1 { take.yield() }
            return call == 1 ? .blocked(reason: "takes none") : nil
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        await clock.waitForSleepers(1)
        await publish(try samples(4, from: 3), to: journal)
        await journal.commit()
        clock.advance(seconds: DeliveryAttempt.blockedRetrySeconds)
        for await _ in taken { break }
        await journal.close()
        try await delivery.value
        XCTAssertEqual(sizes.all, [3, 7])
    }

    func testLineSink_getsTheLinesOfItsTypes_asTheyStand() async throws {
        let journal = try makeJournal()
        let wanted = try samples(5, .runningSpeed)
        let event = Record.event(
            DeviceEvent(
                id: try sample(9).id, at: Instant(nanosecondsSince1970: 0),
                device: Device(name: "D"),
                state: DeviceState(contact: true)))
        // A record from another program, with the type at an unusual position.
        let odd =
            #"{"kind":"sample","type":"runningSpeed","id":"\#(try sample(8).id)","#
            + #""start":"2026-11-21T18:15:00Z","end":"2026-11-21T18:15:00Z","value":1,"unit":"m/s"}"#
        var lines = RecordBatch(try samples(3) + wanted + [event]).lines
        lines.append(RecordLines(Array("\(odd)\nno record\n".utf8)))
        var addition = Ledger.Ingest()
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
}

/// A sink that records its lines.
private final class LineRecorder: LineSink {
    let bytes = Mutex<[UInt8]>([])

    func write(_ batch: RecordLines) async throws {
        bytes.withLock { $0 += batch.bytes }
    }
}

/// A sink with a scripted result for each call, counted from 1.
private final class ScriptedLineSink: LineSink {
    private let calls = Mutex(0)
    private let answer: @Sendable (Int, RecordLines) -> SinkError?

    init(_ answer: @escaping @Sendable (Int, RecordLines) -> SinkError?) {
        self.answer = answer
    }

    func write(_ batch: RecordLines) async throws {
        let call = calls.withLock { calls in
            calls += 1
            return calls
        }
        if let error = answer(call, batch) { throw error }
    }
}
