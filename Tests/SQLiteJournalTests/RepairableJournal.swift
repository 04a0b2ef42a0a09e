import GatewayCore
import GatewayTesting
import XCTest

@testable import SQLiteJournal

/// Uses a journal file as the journal does: repairs it when it is corrupt, and continues.
struct RepairableJournal {
    private let file: SQLiteJournalFile
    private let clock: ManualClock
    private var account: Ledger

    init(_ file: SQLiteJournalFile, clock: ManualClock) throws {
        self.file = file
        self.clock = clock
        account = try file.ledger()
    }

    private func mending<Result>(_ operation: () throws -> Result) throws -> Result {
        do { return try operation() } catch {
            guard file.fault(of: error) == .damaged else { throw error }
            _ = try file.repair(keeping: account)
            return try operation()
        }
    }

    mutating func register(_ sinks: [JournalSink]) throws {
        try mending { try file.register(sinks) }
        account = try file.ledger()
    }

    /// Appends a batch, reads all of a sink's records and moves its cursor.
    func run(
        name: String, _ what: String, _ isKnown: (Substring) -> Bool
    ) throws {
        var journal = self
        try journal.append()
        XCTAssertEqual(try file.ledger().imbalances, [], what)
        while let sink = journal.account.sinks[name], sink.cursor < journal.account.ingest.published
        {
            let published = journal.account.ingest.published
            let slice = try journal.mending {
                try file.read(after: sink.cursor, limit: JournalReadLimit(count: 100))
            }?.prefix(to: published)
            let end = slice?.end ?? published
            for line in String(decoding: slice?.lines.bytes ?? [], as: UTF8.self).split(
                separator: "\n")
            {
                XCTAssertTrue(isKnown(line), what)
            }
            var outcome = Ledger.Outcome()
            outcome.delivered = Int64(slice?.lines.count ?? 0)
            outcome.lost = end - sink.cursor - outcome.delivered
            try journal.mending { try file.advance(name, to: end, adding: outcome) }
            journal.account.sinks[name]?.cursor = end
            journal.account.sinks[name]?.outcome.add(outcome)
        }
        XCTAssertEqual(try file.ledger().imbalances, [], what)
        XCTAssertEqual(try file.ledger(), journal.account, what)
    }

    private mutating func append() throws {
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (1, 1)
        try mending {
            var place = try file.end()
            place.first = account.ingest.published
            try file.append(RecordLines(Array("new\n".utf8)), addition: addition, at: place)
        }
        account.ingest.add(addition)
    }
}
