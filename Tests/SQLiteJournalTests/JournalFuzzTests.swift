import Foundation
import GatewayTesting
import HealthModel
import SQLite
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import Readings
@testable import SQLiteJournal

/// A journal of any bytes is opened, recovered or created again; its lines are records or rejected.
final class JournalFuzzTests: XCTestCase {
    private static let batches: Int64 = 24
    private let clock = ManualClock()

    /// The bytes of a journal's files.
    private struct Files {
        var main: [UInt8]
        var log: [UInt8]
    }

    func testFiles_withAnyCorruption_openAndTheLedgerBalances() throws {
        let template = try makeFiles()
        let known = try Set((0..<Self.batches).flatMap { try Self.lines(of: $0) })
        var run = FuzzRun("damaged journals", inputs: 40)
        while var random = run.next() {
            var files = template
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.damage(&files, &random) }
            do {
                let found = try survivors(at: write(files), "seed \(run.seed)")
                let strange = found.filter { !known.contains($0) && $0 != "new" }
                run.expect(strange.isEmpty, "lines that were never written: \(strange.prefix(3))")
            } catch let error as SQLiteError
                where [.foreignFile, .newerFile].contains(error.reason)
            {
                // It is a foreign file and remains unchanged.
            } catch {
                run.expect(false, "\(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testRows_ofAnyContent_areReadOrCountAsLost() throws {
        let template = try makeFiles()
        var run = FuzzRun("rows of a journal", inputs: 40)
        while var random = run.next() {
            do {
                let folder = try write(template)
                try Self.damageRows(at: folder.path("journal.sqlite"), &random)
                let found = try survivors(at: folder, "seed \(run.seed)")
                var decoder = RecordDecoder()
                for line in found { _ = try? decoder.decode(Array(line.utf8)) }
            } catch {
                run.expect(false, "\(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    // MARK: -

    /// Makes the files of a killed process: a part of the journal is in the write-ahead log.
    private func makeFiles() throws -> Files {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let file = try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
        try file.register([JournalSink("fast"), JournalSink("slow")])
        for batch in 0..<Self.batches {
            var addition = Ledger.Ingest()
            (addition.converted, addition.published) = (6, 5)
            addition[.duplicate] = 1
            try file.append(try Self.batch(batch), addition: addition, at: file.end())
            if batch == Self.batches / 2 {
                try file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        var outcome = Ledger.Outcome()
        outcome.delivered = 30
        try file.advance("fast", to: 30, adding: outcome)
        outcome.delivered = 10
        try file.advance("slow", to: 10, adding: outcome)
        return Files(
            main: Array(try Data(contentsOf: URL(fileURLWithPath: path))),
            log: Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)-wal"))))
    }

    private static func batch(_ number: Int64) throws -> RecordLines {
        let records = try (0..<Int64(5)).map { index -> Record in
            let start = Instant(nanosecondsSince1970: 1_795_284_900_000_000_000)
                .adding(nanoseconds: (number * 5 + index) * 1_000_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID(high: UInt64(number), low: UInt64(index)), type: .heartRate,
                    start: start, end: start, quantity: Quantity(72, .countPerMinute),
                    person: "ada", device: Device(name: "Polar H10 8A2F")))
        }
        return RecordBatch(records).lines
    }

    private static func lines(of batch: Int64) throws -> [String] {
        String(decoding: try Self.batch(batch).bytes, as: UTF8.self).split(separator: "\n")
            .map { String($0) }
    }

    private func write(_ files: Files) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(files.main, to: "journal.sqlite")
        try folder.write(files.log, to: "journal.sqlite-wal")
        return folder
    }

    /// Opens the journal, continues in it as a gateway does, and returns its remaining lines.
    private func survivors(at folder: TemporaryFolder, _ what: String) throws -> [String] {
        let file = try SQLiteJournalFile(
            path: folder.path("journal.sqlite"), durability: .crash, clock: clock)
        var journal = try RepairableJournal(file, clock: clock)
        try journal.register([JournalSink("fast"), JournalSink("slow")])
        var lines: [String] = []
        try journal.run(name: "slow", what) { line in
            lines.append(String(line))
            return true
        }
        return lines
    }

    private static func damage(_ files: inout Files, _ random: inout SeededGenerator) {
        if random.once(in: 3) {
            damage(&files.log, &random)
        } else {
            damage(&files.main, &random)
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let page = JournalSchema.pageSize
        func place(_ random: inout SeededGenerator) -> Int {
            // Half of them in the structure of a page.
            let start = Int.random(in: 0...(bytes.count - 1) / page, using: &random) * page
            let offset = Int.random(in: 0..<(random.once(in: 2) ? 128 : page), using: &random)
            return min(start + offset, bytes.count - 1)
        }
        let start = place(&random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.removeSubrange(start...)
        case 1:
            let end = min(start + Int.random(in: 1...page, using: &random), bytes.count)
            for index in start..<end { bytes[index] = 0 }
        case 2:
            let end = min(start + Int.random(in: 1...200, using: &random), bytes.count)
            for index in start..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        case 3:
            let other = place(&random) / page * page
            let piece = Array(bytes[other..<min(other + page, bytes.count)])
            let target = start / page * page
            let end = min(target + piece.count, bytes.count)
            bytes.replaceSubrange(target..<end, with: piece.prefix(end - target))
        case 4: bytes += random.bytes(upTo: page)
        case 5: bytes[start] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        default: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
    }

    /// Writes random content to a row, often with a valid checksum.
    private static func damageRows(at path: String, _ random: inout SeededGenerator) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.execute("PRAGMA ignore_check_constraints = 1")
        let place = try place(of: random.pick([50, 60, 80, 115]), connection)
        var lines = try Array(batch(place.first / 5).bytes)
        for _ in 0..<Int.random(in: 1...4, using: &random) { random.mutate(&lines, words: words) }
        let count = random.pick([5, Int64(RecordLines(lines).count), 1, 1_000, .max])
        let checksum = lines.withUnsafeBytes {
            BatchChecksum.checksum($0, count: count, at: place)
        }
        let update = try connection.prepare(
            "UPDATE batch SET lines = ?, count = ?, checksum = ? WHERE first = ?")
        try lines.withUnsafeBytes { try update.bind(blob: $0, at: 1) }
        try update.bind(integer: count, at: 2)
        try update.bind(integer: random.once(in: 4) ? nil : checksum, at: 3)
        try update.bind(integer: place.first, at: 4)
        try update.run()
        guard random.once(in: 3) else { return }
        // A statement that SQLite rejects changes nothing.
        _ = try? connection.execute(random.pick(statements))
    }

    private static func place(
        of first: Int64, _ connection: SQLiteConnection
    ) throws -> JournalPlace {
        let query = try connection.prepare("SELECT position, time FROM batch WHERE first = ?")
        try query.bind(integer: first, at: 1)
        var place = JournalPlace(
            first: first, position: 0, time: Instant(nanosecondsSince1970: 0))
        try query.forEachRow { row in
            place.position = row.integer(at: 0)
            place.time = Instant(nanosecondsSince1970: row.integer(at: 1))
        }
        return place
    }

    private static let words = [
        "\n", "\n\n\n", "{}", "null", "\u{0}", "\"id\":", "\"value\":1e999,", "}{", "é", "\u{2028}",
        "{\"a\":[",
    ].map { Array($0.utf8) }

    private static let statements = [
        "DELETE FROM batch WHERE first BETWEEN 40 AND 70",
        "UPDATE batch SET first = first + 3 WHERE first = 75",
        "UPDATE batch SET position = -1 WHERE first > 60",
        "UPDATE batch SET time = 9223372036854775807",
        "UPDATE batch SET lines = 'text' WHERE first = 65",
        "UPDATE batch SET lines = NULL WHERE first = 65",
        "UPDATE batch SET count = -5 WHERE first = 70",
        "UPDATE sink SET cursor = 9223372036854775807",
        "UPDATE sink SET start = -1", "DELETE FROM sink", "DELETE FROM intake", "DELETE FROM batch",
        "UPDATE intake SET published = 3", "INSERT INTO batch VALUES (-7, 1, 0, 0, NULL, 'x')",
        "INSERT INTO batch VALUES (9223372036854775807, 1, 0, 0, NULL, 'x')", "DROP TABLE intake",
        "ALTER TABLE batch ADD COLUMN more", "PRAGMA user_version = 1",
        "UPDATE sink SET name = char(0)",
    ]
}
