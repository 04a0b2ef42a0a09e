import GatewayCore
import HealthModel
import Readings
import SQLite

extension JournalDatabase {
    /// Reads the ledger.
    ///
    /// - Throws: ``SQLiteError`` with the reason `corrupt` when it does not balance.
    func ledger() throws -> Ledger {
        let ledger = Ledger(
            ingest: try Self.ingest(connection) ?? Ledger.Ingest(),
            sinks: try Self.sinks(connection))
        guard ledger.isPlausible else {
            throw SQLiteError(
                reason: .corrupt, operation: "read", message: "the ledger does not balance",
                path: connection.path)
        }
        return ledger
    }

    /// Reads the ingest counters; nil when there are none.
    ///
    /// A corrupt file may have an older schema version, with two reasons in columns.
    static func ingest(_ connection: SQLiteConnection) throws -> Ledger.Ingest? {
        let faults = "SELECT reason, count FROM fault"
        let columns = """
            SELECT 'implausible', implausible FROM intake
            UNION ALL SELECT 'duplicate', duplicate FROM intake
            """
        let select = try connection.prepare("SELECT converted, published, unaccepted FROM intake")
        let selectFaults = try (try? connection.prepare(faults)) ?? connection.prepare(columns)
        var found: Ledger.Ingest?
        try select.forEachRow { row in
            var ingest = Ledger.Ingest()
            ingest.converted = row.integer(at: 0)
            ingest.published = row.integer(at: 1)
            ingest.unaccepted = row.integer(at: 2)
            found = ingest
        }
        // An unknown reason makes the ledger unbalanced, that is, corrupt.
        try selectFaults.forEachRow { row in
            guard let fault = row.text(at: 0).flatMap(ReadingFault.init(rawValue:)) else { return }
            found?[fault] = row.integer(at: 1)
        }
        return found
    }

    /// Reads the cursors and counters of the sinks by name.
    static func sinks(_ connection: SQLiteConnection) throws -> [String: Ledger.Sink] {
        var sinks: [String: Ledger.Sink] = [:]
        let columns = "name, start, cursor, filtered, delivered, refused, dropped, lost"
        // A corrupt file may have an older schema version.
        let select =
            try (try? connection.prepare("SELECT \(columns), formerly FROM sink"))
            ?? connection.prepare("SELECT \(columns), NULL FROM sink")
        try select.forEachRow { row in
            var sink = Ledger.Sink(start: row.integer(at: 1), cursor: row.integer(at: 2))
            sink.outcome.filtered = row.integer(at: 3)
            sink.outcome.delivered = row.integer(at: 4)
            sink.outcome.rejected = row.integer(at: 5)
            sink.outcome.dropped = row.integer(at: 6)
            sink.outcome.lost = row.integer(at: 7)
            sink.previousName = row.text(at: 8)
            sinks[row.text(at: 0) ?? ""] = sink
        }
        return sinks
    }

    /// Replaces the registered sinks.
    func register(_ wanted: [JournalSink]) throws {
        let before = try ledger()
        var after = before
        // An implausible place must not prevent the start; it is limited to the published records.
        let oldest = try place(after: 0, within: JournalBound())?.first
        after.register(wanted, oldest: min(oldest ?? .max, before.ingest.published))
        // Without a change nothing is written, so that a full disk does not prevent the start.
        guard after.sinks != before.sinks else { return }
        try connection.transaction {
            try replaceSinks(after.sinks)
            try removeDelivered()
        }
    }

    /// Rewrites the sink table, within a transaction.
    func replaceSinks(_ sinks: [String: Ledger.Sink]) throws {
        try connection.execute("DELETE FROM sink")
        let insert = try connection.prepare(
            "INSERT INTO sink VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
        for (name, sink) in sinks.sorted(by: { $0.key < $1.key }) {
            let outcome = sink.outcome
            let numbers = [
                sink.start, sink.cursor, outcome.filtered, outcome.delivered, outcome.rejected,
                outcome.dropped, outcome.lost,
            ]
            try insert.bind(text: name, at: 1)
            for (index, number) in numbers.enumerated() {
                try insert.bind(integer: number, at: Int32(index) + 2)
            }
            try insert.bind(text: sink.previousName, at: 9)
            try insert.run()
        }
    }

    /// Writes a complete ledger to a new file.
    func initialize(with ledger: Ledger) throws {
        try append(
            RecordLines([]), addition: ledger.ingest,
            at: JournalPlace(first: 0, position: 0, time: .init(nanosecondsSince1970: 0)),
            saving: [:])
        try connection.transaction { try replaceSinks(ledger.sinks) }
    }
}

extension Ledger {
    /// Whether it balances and every number is within the range of a journal.
    var isPlausible: Bool {
        ingest.isPlausible
            && sinks.values.allSatisfy { $0.isPlausible(published: ingest.published) }
    }
}

extension Ledger.Ingest {
    var isPlausible: Bool {
        let parts = faults.values + [unaccepted, published, converted]
        return parts.allSatisfy((0...JournalDatabase.numberLimit).contains)
            && converted == accounted
    }
}

extension Ledger.Sink {
    func isPlausible(published: Int64) -> Bool {
        (outcome.parts + [start, cursor]).allSatisfy((0...JournalDatabase.numberLimit).contains)
            && cursor <= published && cursor - start == outcome.total
    }
}
