import GatewayCore
import GatewayTesting
import HealthModel
import JournalLog
import Readings
import SQLiteJournal
import XCTest

@testable import GatewayHost

/// The journal of an earlier version is taken over once, whatever step a crash follows.
final class EarlierJournalTests: XCTestCase {
    private let clock = ManualClock()

    private func makeFolder() throws -> (folder: TemporaryFolder, data: DataDirectory) {
        let folder = try TemporaryFolder()
        return (folder, DataDirectory(path: folder.path))
    }

    /// Writes a file with twelve records, of which `repository` has four and `store` all.
    private func makeFile(in data: DataDirectory, run: String = "") throws {
        let file = try SQLiteJournalFile(
            path: data.resolve("journal.sqlite"), durability: .crash, clock: clock)
        try file.register([JournalSink("store"), JournalSink("repository")])
        for batch in 0..<4 {
            var place = try file.end()
            place.time = Instant(nanosecondsSince1970: Int64(batch) * 1_000_000_000)
            try file.append(
                RecordLines(
                    Array(["a", "b", "c"].map { "\(run)\(batch) \($0)\n" }.joined().utf8)),
                addition: Self.counts, at: place, saving: [:])
        }
        try file.save([
            "store": Self.account(delivered: 12), "repository": Self.account(delivered: 4),
        ])
    }

    private static let counts: Ledger.Ingest = {
        var counts = Ledger.Ingest()
        (counts.converted, counts.published) = (4, 3)
        counts[.duplicate] = 1
        return counts
    }()

    private static func account(delivered: Int64) -> Ledger.Sink {
        var sink = Ledger.Sink(start: 0, cursor: delivered)
        sink.outcome.delivered = delivered
        return sink
    }

    private static let pending = ["1 b", "1 c", "2 a", "2 b", "2 c", "3 a", "3 b", "3 c"]

    private func takeOver(in data: DataDirectory) throws -> EarlierJournal.Result? {
        try EarlierJournal(in: data, clock: clock).takeOver()
    }

    /// Checks ledger, lines and places of the log.
    private func assertIsTakenOver(_ data: DataDirectory, line: UInt = #line) throws {
        let file = try LogJournalFile(
            path: data.resolve("journal"), durability: .crash, clock: clock)
        XCTAssertNil(file.damageAtOpening, line: line)
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.imbalances, [], line: line)
        XCTAssertEqual(ledger.ingest.published, 12, line: line)
        XCTAssertEqual(ledger.ingest[.duplicate], 4, line: line)
        XCTAssertEqual(ledger.sinks["store"], Self.account(delivered: 12), line: line)
        XCTAssertEqual(ledger.sinks["repository"], Self.account(delivered: 4), line: line)
        let slice = try XCTUnwrap(file.read(after: 4, limit: JournalReadLimit(count: 100)))
        XCTAssertEqual(lines(slice), Self.pending, line: line)
        let place = try XCTUnwrap(file.place(after: 8, within: JournalBound()))
        XCTAssertEqual(place.first, 6, line: line)
        XCTAssertEqual(place.time, Instant(nanosecondsSince1970: 2_000_000_000), line: line)
        XCTAssertEqual(try file.end().first, 12, line: line)
    }

    private func lines(_ slice: JournalSlice) -> [String] {
        String(decoding: slice.lines.bytes, as: UTF8.self).split(separator: "\n").map { "\($0)" }
    }

    func testTakeOver_copiesLedgerAndPendingRecords_once() throws {
        let (folder, data) = try makeFolder()
        try makeFile(in: data)
        let result = try XCTUnwrap(takeOver(in: data))
        XCTAssertEqual(result.pending, 8)
        XCTAssertNil(result.damage)
        XCTAssertEqual(result.movedTo, folder.path("journal.sqlite.taken-over"))
        try assertIsTakenOver(data)
        XCTAssertNil(try takeOver(in: data))
        XCTAssertEqual(
            Set(try Folder.names(in: folder.path)), ["journal", "journal.sqlite.taken-over"])
    }

    func testTakeOver_withoutAFile_doesNothing() throws {
        let (folder, data) = try makeFolder()
        XCTAssertNil(try takeOver(in: data))
        XCTAssertEqual(try Folder.names(in: folder.path), [])
    }

    func testTakeOver_whenACrashLeftAnIncompleteFolder_beginsAgain() throws {
        let (folder, data) = try makeFolder()
        try makeFile(in: data)
        try folder.makeFolder("journal.new")
        try folder.write([1, 2, 3], to: "journal.new/000000000001.segment")
        XCTAssertEqual(try takeOver(in: data)?.pending, 8)
        try assertIsTakenOver(data)
    }

    func testTakeOver_whenACrashCameBetweenTheRenames_completesThem() throws {
        let (folder, data) = try makeFolder()
        try makeFile(in: data)
        _ = try takeOver(in: data)
        XCTAssertEqual(rename(folder.path("journal"), folder.path("journal.new")), 0)
        XCTAssertNil(try takeOver(in: data))
        try assertIsTakenOver(data)
    }

    /// An earlier version ran again and left records: they are appended as new ones.
    func testTakeOver_whenThereIsALog_appendsPendingRecords() throws {
        let (folder, data) = try makeFolder()
        try makeFile(in: data)
        _ = try takeOver(in: data)
        try makeFile(in: data, run: "again ")
        let result = try XCTUnwrap(takeOver(in: data))
        XCTAssertEqual(result.pending, 8)
        XCTAssertEqual(result.movedTo, folder.path("journal.sqlite.taken-over-2"))
        try assertIsAppended(data, "at once")
    }

    private func assertIsAppended(_ data: DataDirectory, _ what: String) throws {
        let file = try LogJournalFile(
            path: data.resolve("journal"), durability: .crash, clock: clock)
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.imbalances, [], what)
        XCTAssertEqual(ledger.ingest.published, 20, what)
        XCTAssertEqual(ledger.pending(for: "store"), 8, what)
        XCTAssertEqual(ledger.pending(for: "repository"), 16, what)
        let slice = try XCTUnwrap(file.read(after: 4, limit: JournalReadLimit(count: 100)))
        XCTAssertEqual(lines(slice), Self.pending + Self.pending.map { "again \($0)" }, what)
    }

    /// A kill after some records were appended, or after all of them and before the file is renamed.
    func testTakeOver_whenACrashFollowedAnAppend_continuesBehindIt() throws {
        for count in 0...Self.pending.count {
            let (folder, data) = try makeFolder()
            defer { withExtendedLifetime(folder) {} }
            try makeFile(in: data)
            _ = try takeOver(in: data)
            try makeFile(in: data, run: "again ")
            try append(Self.pending.prefix(count).map { "again \($0)" }, in: data)
            XCTAssertEqual(try takeOver(in: data)?.pending, 8)
            try assertIsAppended(data, "\(count) records")
        }
    }

    /// Appends records to the log as a takeover does that is killed after them.
    private func append(_ lines: [String], in data: DataDirectory) throws {
        let file = try LogJournalFile(
            path: data.resolve("journal"), durability: .crash, clock: clock)
        for line in lines {
            var addition = Ledger.Ingest()
            (addition.converted, addition.published) = (1, 1)
            try file.append(
                RecordLines(Array("\(line)\n".utf8)), addition: addition, at: file.end(),
                saving: [:])
        }
    }

    /// The earlier version ran once more after the kill: what it delivered and added is not mixed up.
    func testTakeOver_whenTheEarlierVersionRanAfterTheCrash_losesNothing() throws {
        let (folder, data) = try makeFolder()
        defer { withExtendedLifetime(folder) {} }
        try makeFile(in: data)
        _ = try takeOver(in: data)
        try makeFile(in: data, run: "again ")
        try append(Self.pending.prefix(5).map { "again \($0)" }, in: data)
        do {
            let file = try SQLiteJournalFile(
                path: data.resolve("journal.sqlite"), durability: .crash, clock: clock)
            try file.save(["repository": Self.account(delivered: 6)])
        }
        XCTAssertEqual(try takeOver(in: data)?.pending, 6)
        try assertIsAppended(data, "two delivered")
    }

    func testNote_saysWhatTheNextStartTakesOver() throws {
        let (folder, data) = try makeFolder()
        XCTAssertNil(EarlierJournal.note(in: data))
        try makeFile(in: data)
        let path = folder.path("journal.sqlite")
        let start = "the next start takes over \(path), the journal of an earlier version, with "
        let names = try Folder.names(in: folder.path)
        XCTAssertEqual(EarlierJournal.note(in: data), start + "8 pending records")
        XCTAssertEqual(try Folder.names(in: folder.path), names)
        _ = try takeOver(in: data)
        XCTAssertNil(EarlierJournal.note(in: data))
        try folder.write([UInt8](repeating: 7, count: 20_000), to: "journal.sqlite")
        XCTAssertEqual(EarlierJournal.note(in: data), start + "what can be read of it")
    }

    func testTakeOver_ofADamagedFile_saysWhatIsLost() throws {
        let (folder, data) = try makeFolder()
        try folder.write([UInt8](repeating: 7, count: 20_000), to: "journal.sqlite")
        let result = try XCTUnwrap(takeOver(in: data))
        XCTAssertEqual(result.pending, 0)
        let damage = try XCTUnwrap(result.damage)
        XCTAssertNotNil(damage.movedTo)
        XCTAssertNil(damage.missing)
    }
}
