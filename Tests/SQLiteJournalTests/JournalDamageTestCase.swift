import Foundation
import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Readings
@testable import SQLiteJournal

/// A test case that makes journals, corrupts them, and checks the recovery.
class JournalDamageTestCase: DatabaseTestCase {
    private static let batches: Int64 = 60
    let clock = ManualClock()

    func makeFile() throws -> SQLiteJournalFile {
        try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
    }

    func lines(_ batch: Int64) -> RecordLines {
        let text = (0..<10).map {
            "batch \(batch) line \($0) " + String(repeating: "x", count: 280)
        }
        return RecordLines(Array((text.joined(separator: "\n") + "\n").utf8))
    }

    func append(_ batch: Int64, to file: SQLiteJournalFile) throws {
        var addition = Ledger.Ingest()
        (addition.converted, addition.published, addition[.duplicate]) = (11, 10, 1)
        try file.append(lines(batch), addition: addition, at: file.end())
    }

    /// Makes and closes a journal in which `fast` has processed 100 of 600 records and `slow` 50.
    func makeJournal() throws {
        let file = try makeFile()
        try file.register([JournalSink("fast"), JournalSink("slow")])
        for batch in 0..<Self.batches { try append(batch, to: file) }
        var outcome = Ledger.Outcome()
        outcome.delivered = 100
        try file.advance("fast", to: 100, adding: outcome)
        outcome.delivered = 50
        try file.advance("slow", to: 50, adding: outcome)
    }

    /// Reads all records of a sink as a runner does, and counts delivered and lost ones.
    func drain(
        _ file: SQLiteJournalFile, _ sink: String
    ) throws -> (lines: Int64, lost: Int64) {
        var (read, lost): (Int64, Int64) = (0, 0)
        while let cursor = try file.ledger().sinks[sink]?.cursor,
            cursor < (try file.ledger().ingest.published)
        {
            let published = try file.ledger().ingest.published
            let slice = try file.read(after: cursor, limit: JournalReadLimit(count: 100))
            let end = slice?.end ?? published
            var outcome = Ledger.Outcome()
            outcome.delivered = Int64(slice?.lines.count ?? 0)
            outcome.lost = end - cursor - outcome.delivered
            try file.advance(sink, to: end, adding: outcome)
            read += outcome.delivered
            lost += outcome.lost
        }
        return (read, lost)
    }

    func contents() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func damagedFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.contains(".damaged-")
        }
    }

    /// Checks that a journal with these bytes opens, continues, and its ledger balances at every
    /// step.
    func assertSurvives(_ bytes: [UInt8], _ what: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "journal.sqlite")
        let file = try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
        var journal = try RepairableJournal(file, clock: clock)
        try journal.register([JournalSink("fast"), JournalSink("slow")])
        try journal.run(name: "slow", what) { line in
            // Only lines that were written are read.
            line.starts(with: "batch ") || line.starts(with: "new")
        }
    }
}
