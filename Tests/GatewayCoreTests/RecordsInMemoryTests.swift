import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// Tests that sinks get the records that were published, and decode only those that are read from the
/// journal's file.
final class RecordsInMemoryTests: LaneTestCase {
    /// Lines that are not the records, which shows where a record comes from.
    private func lines(of records: [Record]) -> RecordLines {
        let line = Array("no record\n".utf8)
        return RecordLines(
            bytes: Array(repeatElement(line, count: records.count).joined()),
            ends: (1...records.count).map { $0 * line.count }, records: records)
    }

    private func append(_ lines: RecordLines, to journal: Journal) async {
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (Int64(lines.count), Int64(lines.count))
        await journal.append(lines, addition: addition)
        await journal.commit()
    }

    private func deliver(
        _ journal: Journal, options: SinkOptions = SinkOptions()
    ) async throws -> (records: [Record], outcome: Ledger.Outcome) {
        await journal.close()
        let sink = InMemorySink()
        try await runner(journal, sink, options: options).run()
        let ledger = await journal.ledger
        return (sink.records, try XCTUnwrap(ledger.sinks["store"]?.outcome))
    }

    func testSink_thatReadsRecords_getsThosePublished() async throws {
        let journal = try makeJournal([JournalSink("store", readsRecords: true)])
        let records = try samples(7)
        await append(lines(of: Array(records[..<2])), to: journal)
        await append(lines(of: Array(records[2...])), to: journal)
        let (given, outcome) = try await deliver(journal, options: options(count: 3))
        XCTAssertEqual(given, records)
        XCTAssertEqual(outcome.delivered, 7)
    }

    func testJournal_withoutASinkThatReadsRecords_keepsNone() async throws {
        let journal = try makeJournal()
        await append(lines(of: try samples(2)), to: journal)
        let bytes = await journal.tail.bytes
        XCTAssertEqual(bytes, 2 * "no record\n".utf8.count)
        let (_, outcome) = try await deliver(journal)
        XCTAssertEqual(outcome.lost, 2)
    }

    func testRecords_thatWereForgotten_areDecoded() async throws {
        let journal = try makeJournal([JournalSink("store", readsRecords: true)])
        let records = try samples(3)
        await append(RecordBatch(records).lines, to: journal)
        let before = await journal.tail.bytes
        await journal.forgetRecords()
        let after = await journal.tail.bytes
        XCTAssertEqual(after, RecordBatch(records).lines.bytes.count)
        XCTAssertGreaterThan(before, after)
        let (given, outcome) = try await deliver(journal)
        XCTAssertEqual(given, records)
        XCTAssertEqual(outcome.lost, 0)
    }

    /// The tail has the newest records only; what is older comes from the file.
    func testRecords_ofTheFileAndOfTheTail_areOneBatch() async throws {
        let file = SharedJournalFile()
        let records = try samples(4)
        let first = try makeJournal([JournalSink("store", readsRecords: true)], file: file)
        await append(RecordBatch(Array(records[..<2])).lines, to: first)
        await first.close()
        let journal = try makeJournal([JournalSink("store", readsRecords: true)], file: file)
        await append(RecordBatch(Array(records[2...])).lines, to: journal)
        let (given, outcome) = try await deliver(journal)
        XCTAssertEqual(given, records)
        XCTAssertEqual(outcome.delivered, 4)
    }

    func testFilter_keepsTheRecordsOfTheLinesThatPass() async throws {
        let journal = try makeJournal([JournalSink("store", readsRecords: true)])
        let mixed = try (0..<9).map { try sample($0, $0 % 3 == 0 ? .runningSpeed : .heartRate) }
        await append(RecordBatch(mixed).lines, to: journal)
        await append(RecordBatch(mixed).lines, to: journal)
        let wanted = mixed.filter { $0.type == .quantity(.runningSpeed) }
        let (given, outcome) = try await deliver(journal, options: options(types: [.runningSpeed]))
        XCTAssertEqual(given, wanted + wanted)
        XCTAssertEqual(outcome.filtered, 12)
    }
}
