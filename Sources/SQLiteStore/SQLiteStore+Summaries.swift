package import HealthModel
import HourSummaries
import SQLite

extension SQLiteStore {
    /// Calculates the next hours of the summaries, in one transaction of some milliseconds.
    ///
    /// - Parameter types: The types as they are declared; others have no summaries.
    /// - Returns: The number of samples that were read; nil when the summaries are complete.
    /// - Throws: `SQLiteStoreError` for a type whose samples cannot be read; the next call continues with
    ///   other types.
    package func summariseNextHours(types: QuantityTypes = .standard) throws -> Int? {
        // Without the lock of a writer, when there is nothing to do.
        guard try unsummarised(types) != nil else { return nil }
        // The writer has to know how far the summaries are.
        defer { writer?.summaryMarks.reset() }
        var current: Int64?
        do {
            return try connection.transaction {
                guard let state = try unsummarised(types) else { return nil }
                current = state.row
                return try summarise(state)
            }
        } catch let error where !(error is SQLiteError) {
            if let current { unsummarisedTypes.insert(current) }
            throw error
        }
    }

    /// Removes all summaries; they are calculated again.
    package func removeSummaries() throws {
        try connection.transaction { try SummaryRemoval(connection).removeAll() }
        unsummarisedTypes.removeAll()
        writer?.summaryMarks.reset()
    }

    /// The number of hours with summaries, and of their types.
    package func summaryCount() throws -> (hours: Int, types: Int) {
        let count = try connection.prepare(
            """
            SELECT count(*), count(DISTINCT type)
            FROM (SELECT DISTINCT type, hour FROM summary)
            """)
        guard try count.step() else { return (0, 0) }
        return (Int(count.integer(at: 0)), Int(count.integer(at: 1)))
    }

    /// The types with samples that have no summaries, because one of them is or was too long, sorted by
    /// name.
    package func typesWithoutSummaries(_ types: QuantityTypes) throws -> [QuantityType] {
        let find = try connection.prepare(
            """
            SELECT name FROM type
            WHERE longest_ns NOT BETWEEN 0 AND \(SummaryHours.longestSample)
            AND EXISTS (SELECT 1 FROM sample WHERE sample.type = type.id) ORDER BY name
            """)
        var found: [QuantityType] = []
        try find.forEachRow { row in
            if let type = row.text(at: 0).flatMap(types.named) { found.append(type) }
        }
        return found
    }

    /// The first type whose summaries are not complete; nil when there is none.
    private func unsummarised(_ types: QuantityTypes) throws -> SummaryState? {
        try SummaryStates(connection, types).all().first {
            ($0.isOfEarlierDeclaration || $0.work != nil) && !unsummarisedTypes.contains($0.row)
        }
    }

    private func summarise(_ state: SummaryState) throws -> Int {
        if !state.isOfEarlierDeclaration, let work = state.work {
            return try SummaryBuilder(connection, lookup).run(work)
        }
        try SummaryRemoval(connection).remove(type: state.row)
        return 0
    }
}

/// Removes summaries.
private struct SummaryRemoval {
    private static let tables = ["summary", "summary_mark", "summary_progress"]

    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    func remove(type: Int64) throws {
        for table in Self.tables {
            let remove = try connection.prepare("DELETE FROM \(table) WHERE type = ?")
            try remove.bind(integer: type, at: 1)
            try remove.run()
        }
    }

    func removeAll() throws {
        for table in Self.tables { try connection.execute("DELETE FROM \(table)") }
    }
}
