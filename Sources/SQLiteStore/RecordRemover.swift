import HealthModel
import SQLite

/// Removes the oldest records in batches, each in a short transaction.
///
/// Referenced rows (devices, people, units) remain: they are small, and the writer caches their
/// ids.
final class RecordRemover {
    /// The maximum number of records in a batch, which takes a few milliseconds.
    static let stepRows = 1_000

    private let connection: SQLiteConnection
    private let oldestType: SQLiteStatement
    private let removeOldSamples: SQLiteStatement
    private let removeFirstSamples: SQLiteStatement
    /// All tables but `sample`, whose index starts with the type.
    private let others: [DatedRows]
    private let usedBytes: SQLiteStatement
    private let spans: SQLiteStatement
    private let countRemoved: SQLiteStatement
    private let trimChanges: SQLiteStatement
    /// The fraction of a row of each table carried to the next removal by size; most batches remove
    /// no row of a small table.
    private var carriedRows: [Double]

    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        oldestType = try connection.prepare(Self.oldestTypeSQL)
        removeOldSamples = try connection.prepare(Self.removeOldSamplesSQL)
        removeFirstSamples = try connection.prepare(DatedRows.removeFirstSQL("sample"))
        others = try Self.tables.map { try DatedRows($0, on: connection) }
        carriedRows = others.map { _ in 0 }
        usedBytes = try connection.prepare(
            """
            SELECT (all_pages.page_count - free.freelist_count) * size.page_size
            FROM pragma_page_count all_pages, pragma_freelist_count free, pragma_page_size size
            """)
        spans = try connection.prepare(Self.spansSQL)
        countRemoved = try connection.prepare(Self.countSQL)
        trimChanges = try connection.prepare(Self.trimChangesSQL)
    }

    /// Removes a batch of records and returns its size; 0 when nothing is beyond the bounds.
    func removeNextBatch(beyond bounds: Retention.Bounds) throws -> Int {
        if let start = bounds.start {
            let removed = try removeNextBatch(before: start.nanosecondsSince1970)
            guard removed == 0 else { return removed }
        }
        guard let bytes = bounds.bytes, try number(usedBytes) > bytes else { return 0 }
        try trimChanges(beyond: bytes)
        guard try number(usedBytes) > bytes else { return 0 }
        return try connection.transaction { try removeFirst() }
    }

    /// Shortens the log of changes, before any record is removed for it.
    private func trimChanges(beyond bytes: Int64) throws {
        while try number(usedBytes) > bytes {
            try trimChanges.run()
            guard connection.changes > 0 else { return }
        }
    }

    // MARK: By age

    private func removeNextBatch(before start: Int64) throws -> Int {
        guard
            try others.contains(where: { try $0.hasAny(before: start) })
                || oldestType(before: start) != nil
        else { return 0 }
        return try connection.transaction {
            var removed = 0
            for rows in others {
                removed += try rows.remove(before: start, limit: Self.stepRows - removed)
            }
            while removed < Self.stepRows, let type = try oldestType(before: start) {
                try removeOldSamples.bind(integer: type, at: 1)
                try removeOldSamples.bind(integer: start, at: 2)
                try removeOldSamples.bind(integer: Int64(Self.stepRows - removed), at: 3)
                try removeOldSamples.run()
                // A corrupt index that contradicts its table must not cause an endless loop.
                let count = connection.changes
                guard count > 0 else { break }
                try note(removed: count)
                removed += count
            }
            return removed
        }
    }

    /// The type with the oldest sample, if that started before the time.
    private func oldestType(before start: Int64) throws -> Int64? {
        defer { oldestType.reset() }
        try oldestType.bind(integer: start, at: 1)
        return try oldestType.step() ? oldestType.integer(at: 0) : nil
    }

    // MARK: By size

    /// Removes the rows that were stored first, the same fraction of each table: tables have no
    /// common order but time, which would depend on wrong clocks.
    private func removeFirst() throws -> Int {
        let (samples, counts) = try rowsOfTables()
        let total = Double(samples + counts.reduce(0, +))
        var removed = 0
        for index in others.indices where counts[index] > 0 {
            carriedRows[index] += Double(Self.stepRows) * Double(counts[index]) / total
            let part = Int(carriedRows[index])
            carriedRows[index] -= Double(part)
            removed += try others[index].removeFirst(limit: min(part, Self.stepRows - 1 - removed))
        }
        if samples == 0, let last = others.indices.last(where: { counts[$0] > 0 }) {
            return removed + (try others[last].removeFirst(limit: Self.stepRows - removed))
        }
        try removeFirstSamples.bind(integer: Int64(Self.stepRows - removed), at: 1)
        try removeFirstSamples.run()
        let count = connection.changes
        try note(removed: count)
        return removed + count
    }

    private func rowsOfTables() throws -> (samples: Int64, others: [Int64]) {
        defer { spans.reset() }
        guard try spans.step() else { return (0, others.map { _ in 0 }) }
        let counts = others.indices.map { spans.integer(at: Int32($0) + 1) }
        return (spans.integer(at: 0), counts)
    }

    private func note(removed count: Int) throws {
        try countRemoved.bind(integer: Int64(count), at: 1)
        try countRemoved.run()
    }

    // MARK: -

    private func number(_ statement: SQLiteStatement) throws -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : 0
    }
}

// MARK: - Statements

extension RecordRemover {
    private static let tables = [
        DatedRows.Table(name: "event", time: "at_ns", maximumRowCount: 1),
        DatedRows.Table(name: "category", time: "start_ns", maximumRowCount: 1),
        DatedRows.Table(
            name: "correlation", time: "start_ns", maximumRowCount: 1 + Correlation.maximumCount),
        DatedRows.Table(name: "workout", time: "end_ns", maximumRowCount: 1),
    ]

    private static let oldestTypeSQL = """
        SELECT id, (SELECT min(start_ns) FROM sample WHERE type = type.id) AS oldest
        FROM type WHERE oldest < ? ORDER BY oldest LIMIT 1
        """

    private static let removeOldSamplesSQL = """
        DELETE FROM sample WHERE sequence IN (
            SELECT sequence FROM sample WHERE type = ?1 AND start_ns < ?2
            ORDER BY start_ns LIMIT ?3)
        """

    /// The number of samples as far as it is counted: other programs may have removed some.
    private static let sampleCount = """
        CASE WHEN (SELECT max(sequence) FROM sample) IS NULL THEN 0
        ELSE max(1, (SELECT stored - removed FROM tally)) END
        """

    /// The newest changes remain, for those who follow the store.
    private static let trimChangesSQL = """
        DELETE FROM change WHERE number IN (
            SELECT number FROM change WHERE number <= (SELECT max(number) FROM change) - 1024
            ORDER BY number LIMIT 4096)
        """

    private static let countSQL = "UPDATE tally SET removed = removed + ?"

    private static let spansSQL =
        "SELECT " + ([sampleCount] + tables.map(\.name).map(span)).joined(separator: ", ")

    /// Two queries for the ends of the key, because max - min in one SELECT would read every row.
    private static func span(_ table: String) -> String {
        """
        coalesce((SELECT max(sequence) FROM \(table))
            - (SELECT min(sequence) FROM \(table)) + 1, 0)
        """
    }

    /// The statements that read or remove records; all use an index, so that a batch costs the same
    /// in a large file.
    static let statements =
        [
            oldestTypeSQL, removeOldSamplesSQL, spansSQL, countSQL, trimChangesSQL,
            DatedRows.removeFirstSQL("sample"),
        ]
        + tables.flatMap(DatedRows.statements)
}
