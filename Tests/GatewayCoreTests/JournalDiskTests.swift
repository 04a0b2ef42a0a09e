import GatewayTesting
import Platform
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Readings

/// Tests of a journal that cannot be written.
final class JournalDiskTests: LaneTestCase {
    /// A disk that a test fills and empties.
    private final class Disk: Sendable {
        private let full: Mutex<Bool>

        init(isFull: Bool) { full = Mutex(isFull) }

        func set(full isFull: Bool) { full.withLock { $0 = isFull } }

        var file: InMemoryJournalFile {
            InMemoryJournalFile(fault: .full) { [self] _ in full.withLock { $0 } }
        }
    }

    /// Publishes until the buffer is full, without being blocked.
    private func fill(_ journal: Journal, over limit: Int64) async {
        for _ in 0..<Int(limit / 1_000) { await publishLines(1_000, to: journal) }
    }

    func testFull_sourcesThatCannotWaitAreNotBlocked_andTheOldestIsDiscarded() async throws {
        let disk = Disk(isFull: true)
        let journal = try makeJournal(file: disk.file)
        // 40 MB exceed the buffer of 32 MiB.
        await fill(journal, over: 40_000)
        var status = await journal.status
        XCTAssertTrue(status.isFull)
        XCTAssertEqual(status.failure, "test disk failure")
        XCTAssertLessThan(status.waiting, 36_000)
        XCTAssertEqual(logLines.count(of: "discarding oldest records"), 1)

        disk.set(full: false)
        let running = Task { try await journal.run() }
        await clock.waitForSleepers(1)
        clock.advance(seconds: Journal.retrySeconds)
        await journal.close()
        try await running.value
        status = await journal.status
        XCTAssertFalse(status.isFull)
        XCTAssertEqual(status.ledger.ingest.converted, 40_000)
        XCTAssertGreaterThan(status.ledger.ingest.unaccepted, 4_000)
        XCTAssertGreaterThan(status.ledger.ingest.published, 30_000)
        XCTAssertEqual(status.ledger.imbalances, [])
        XCTAssertEqual(logLines.count(of: "space is available again discarded="), 1)
        let slice = try await journal.read(for: "store", limit: JournalReadLimit(count: .max))
        XCTAssertEqual(slice?.count, status.ledger.ingest.published)
    }

    func testFull_whoCanWaitWaits_andNothingOfItIsDiscarded() async throws {
        let disk = Disk(isFull: true)
        let journal = try makeJournal(file: disk.file)
        let publishing = Task {
            for _ in 0..<40 { await publishLines(1_000, to: journal, canWait: true) }
        }
        let running = Task { try await journal.run() }
        await clock.waitForSleepers(1)
        disk.set(full: false)
        clock.advance(seconds: Journal.retrySeconds)
        await publishing.value
        await journal.close()
        // It may sleep before a commit that is already done.
        running.cancel()
        _ = await running.result
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest.published, 40_000)
        XCTAssertEqual(ledger.ingest.unaccepted, 0)
    }

    func testFull_untilTheEnd_theNextRunKnowsWhatWasNotAccepted() async throws {
        let file = SharedJournalFile(takesRecords: false)
        let journal = try makeJournal(file: file)
        await publishLines(10, to: journal)
        await journal.close()
        await journal.finish()
        XCTAssertEqual(try file.ledger().ingest.unaccepted, 10)
        XCTAssertEqual(try file.ledger().ingest.converted, 10)
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest, try file.ledger().ingest)
    }

    func testFull_untilTheEnd_whatWasNeverCommittedIsNotAccepted() async throws {
        let journal = try makeJournal(file: Disk(isFull: true).file)
        await publishLines(10, to: journal)
        await journal.close()
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest.converted, 10)
        XCTAssertEqual(ledger.ingest.unaccepted, 10)
        XCTAssertEqual(ledger.ingest.published, 0)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(logLines.count(of: "error records discarded: "), 1)
    }

    func testClosed_whatComesLateIsNotAccepted_andIsCounted() async throws {
        let journal = try makeJournal()
        await publish(try samples(3), to: journal)
        await journal.close()
        await publish(try samples(5, from: 3), to: journal)
        await journal.finish()
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.ingest.converted, 8)
        XCTAssertEqual(ledger.ingest.published, 3)
        XCTAssertEqual(ledger.ingest.unaccepted, 5)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(logLines.count(of: "the journal was closed records=5"), 1)
    }

    /// A slow disk is distinguished from a failing one, and every episode is logged.
    func testInbox_whatIsDiscarded_isReportedOnceForEachTime_withItsReason() {
        let start = BootInstant(nanoseconds: 0)
        var inbox = Journal.Inbox(pace: CommitPace(waitsForDisk: true, at: start))
        let lines = RecordLines(Array(String(repeating: "x\n", count: 1_000).utf8))
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (1_000, 1_000)
        func fill() -> [Journal.Inbox.OverflowCause] {
            (0..<110).compactMap { _ in inbox.append(lines, addition, at: start).overflow }
        }
        XCTAssertEqual(fill(), [.throughput])
        let discarded = 110_000 - inbox.waiting.count
        XCTAssertEqual(inbox.endOverflow(), 0, "it is still nearly full")
        while inbox.waiting.count > WaitingRecords.countLimit / 2 {
            _ = inbox.waiting.takeFirst()
        }
        XCTAssertEqual(inbox.endOverflow(), discarded)
        XCTAssertEqual(inbox.endOverflow(), 0)
        inbox.isFailing = true
        XCTAssertEqual(fill(), [.disk])
    }

    func testFull_theLiveLaneSeesEverythingImmediately() async throws {
        let journal = try makeJournal(file: Disk(isFull: true).file)
        let live = LiveLane()
        let seen = Mutex(0)
        let subscription = live.subscribe { batch in seen.withLock { $0 += batch.records.count } }
        var conversion = Conversion()
        conversion.records = try samples(10)
        await Bus(journal: journal, live: live).publish(conversion)
        XCTAssertEqual(seen.withLock { $0 }, 10)
        live.cancel(subscription)
    }

    func testWaiting_aLargePieceIsCutIntoGroups_andTheAccountIsTheSame() {
        var waiting = WaitingRecords()
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (7_003, 7_000)
        (addition[.implausible], addition[.duplicate]) = (1, 2)
        waiting.add(RecordLines(Array(String(repeating: "x\n", count: 7_000).utf8)), addition)
        XCTAssertEqual(waiting.count, 7_000)
        var sum = Ledger.Ingest()
        var groups = 0
        while let group = waiting.takeFirst() {
            XCTAssertEqual(Int64(group.lines.count), group.addition.published)
            XCTAssertLessThanOrEqual(group.lines.count, 3_000)
            sum.add(group.addition)
            groups += 1
        }
        XCTAssertEqual(sum, addition)
        XCTAssertEqual(groups, 3)
        XCTAssertEqual(waiting.count, 0)
    }

    func testWaiting_noGroupIsLargerThanTwoMegabytes() {
        var waiting = WaitingRecords()
        let line = String(repeating: "x", count: 50_000) + "\n"
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (100, 100)
        waiting.add(RecordLines(Array(String(repeating: line, count: 100).utf8)), addition)
        var count = 0
        while let group = waiting.takeFirst() {
            XCTAssertLessThanOrEqual(Int64(group.lines.bytes.count), WaitingRecords.groupBytes)
            count += group.lines.count
        }
        XCTAssertEqual(count, 100)
    }
}
