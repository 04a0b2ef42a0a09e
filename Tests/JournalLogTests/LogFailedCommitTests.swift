import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog

/// A batch that was written as a whole, but whose synchronization failed, so that it was not committed.
final class LogFailedCommitTests: LogTestCase {
    /// Makes a log with one record, and a batch of two behind it that is not committed.
    private func makeLog() throws -> LogJournalFile {
        let file = try makeFile(.powerLoss)
        try file.register([JournalSink("store")])
        try file.append("accepted\n")
        var ingest = try file.ledger().ingest
        ingest.add(.published(2))
        let header = FrameHeader(
            .records, journal: file.journal, number: file.nextFrame, count: 2, place: file.next)
        file.nextFrame += 1
        let lines = RecordLines(Array("uncertain a\nuncertain b\n".utf8))
        let parts = try FrameCoding.parts(ingest, lines, header, path: path)
        _ = try file.current?.append(parts, sync: false)
        return file
    }

    /// The counts after the journal gave the batch up, as it does when it ends.
    private func discarded(_ file: LogJournalFile) throws -> Ledger.Ingest {
        var discarded = Ledger.Ingest.published(2)
        discarded.discardPublished()
        try file.append(RecordLines([]), addition: discarded, at: file.end(), saving: [:])
        return try file.ledger().ingest
    }

    private func assertIsCountedOnce(_ ingest: Ledger.Ingest, _ what: String) throws {
        let file = try makeFile(.powerLoss)
        XCTAssertNil(file.damageAtOpening, what)
        XCTAssertEqual(try file.ledger().ingest, ingest, what)
        XCTAssertNil(try file.read(after: 1, limit: JournalReadLimit(count: 10)), what)
        XCTAssertNil(try file.place(after: 1, within: JournalBound()), what)
        try file.append("new\n")
        XCTAssertEqual(try file.drain("store").lines, ["accepted", "new"], what)
        let again = try makeFile(.powerLoss)
        XCTAssertEqual(try again.ledger().ingest.published, 2, what)
        XCTAssertEqual(try again.ledger().imbalances, [], what)
    }

    func testDiscardedBatch_isCountedOnce() throws {
        let ingest: Ledger.Ingest
        do {
            let file = try makeLog()
            ingest = try discarded(file)
            XCTAssertEqual(ingest.unaccepted, 2)
        }
        try assertIsCountedOnce(ingest, "ledger in a frame")
    }

    /// A full disk: the ledger is in its own place at the end of the segment.
    func testDiscardedBatch_whenTheLedgerHasNoOtherPlace_isCountedOnce() throws {
        var ledger: Ledger
        do {
            let file = try makeLog()
            ledger = try file.ledger()
            ledger.ingest.add(.published(2))
            ledger.ingest.published -= 2
            ledger.ingest.unaccepted += 2
            var frame: [UInt8] = []
            let header = FrameHeader(
                .ledger, journal: file.journal, number: file.nextFrame, place: file.next)
            try FrameCoding.append(.ledger(ledger), header, to: &frame, path: path)
            try file.current?.writeLedger(frame, sync: false)
        }
        try assertIsCountedOnce(ledger.ingest, "ledger at the end")
    }

    /// A write failed: what is in the segment is unknown, so the next batch is in another one.
    func testFailedWrite_isTheLastOneInItsSegment() throws {
        let file = try makeFile()
        try file.register([JournalSink("store")])
        try file.append("accepted\n")
        let segment = try XCTUnwrap(file.segments.last)
        let readOnly = try XCTUnwrap(
            SegmentFile.open(LogFolder.name(of: segment.name), in: file.folder))
        file.current = WritableSegment(name: segment.name, file: readOnly, size: segment.size)
        XCTAssertThrowsError(try file.append("uncertain\n"))
        try file.append("next\n")
        XCTAssertEqual(try segmentNames().count, 2)
        XCTAssertEqual(try file.drain("store").lines, ["accepted", "next"])
    }

    /// The process was killed before it said what became of the batch: nobody else has it.
    func testBatch_thatNobodyGaveUp_isDelivered() throws {
        _ = try makeLog()
        let file = try makeFile(.powerLoss)
        XCTAssertEqual(try file.ledger().ingest.published, 3)
        XCTAssertEqual(
            try file.drain("store").lines, ["accepted", "uncertain a", "uncertain b"])
        XCTAssertEqual(try file.ledger().imbalances, [])
    }
}
