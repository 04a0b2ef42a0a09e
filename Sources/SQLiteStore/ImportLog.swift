import HealthModel
import HealthStore
import SQLite

/// Writes which records the import of a file has stored, in the table `imported`, so that an undo takes
/// back these and no others.
///
/// A note is made in the transaction that stores the records. As in the log of changes, it has runs of
/// rows, some bytes a run; a sample of no import that is stored between the ends of a run has a note too.
/// Samples that are not at the row of their id have a note of their ids, with a negative kind. A later
/// note of a record replaces an earlier one. A note of the kind 0 has no records: the import is known.
final class ImportLog {
    /// The kind of a note of samples that an import delivers, and a gateway stores.
    static let delivered: Int64 = 100
    /// The kind of a note of what a file has of a workout.
    static let contribution: Int64 = 102

    private let find: SQLiteStatement
    private let findRows: SQLiteStatement
    private let insert: SQLiteStatement
    private let trim: SQLiteStatement
    private let contributions: SQLiteStatement
    private let findContribution: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        find = try connection.prepare("SELECT 1 FROM imported WHERE kind = 0 AND import = ?")
        findRows = try connection.prepare(
            """
            SELECT 1 FROM imported
            WHERE kind = \(RecordKind.sample.rawValue) AND first <= ?1 AND last >= ?2 LIMIT 1
            """)
        insert = try connection.prepare(
            "INSERT INTO imported (import, kind, first, last, content) VALUES (?, ?, ?, ?, ?)")
        contributions = try connection.prepare(
            "DELETE FROM imported WHERE kind = \(Self.contribution) AND last = ?")
        findContribution = try connection.prepare(
            """
            SELECT 1 FROM imported WHERE kind = \(Self.contribution) AND last = ?1
                AND (?2 IS NULL OR import = ?2 AND content = ?3) LIMIT 1
            """)
        // The samples of these are gone, by retention or deletion.
        trim = try connection.prepare(
            """
            DELETE FROM imported WHERE kind = \(RecordKind.sample.rawValue) AND last < coalesce(
                (SELECT min(sequence) FROM sample WHERE sequence > 0), \(Int64.max))
            """)
    }

    /// Notes that a file is imported, and removes notes whose samples are gone.
    func begin(_ file: ImportedFile) throws {
        guard try !isKnown(file) else { return }
        try trim.run()
        try add(file, kind: 0, rows: 0...0, [])
    }

    /// Whether a file was imported.
    func isKnown(_ file: ImportedFile) throws -> Bool {
        defer { find.reset() }
        try find.bind(integer: file.key, at: 1)
        return try find.step()
    }

    /// Whether an import has stored samples in or around some rows.
    func has(_ rows: ClosedRange<Int64>) throws -> Bool {
        defer { findRows.reset() }
        try findRows.bind(integer: rows.upperBound, at: 1)
        try findRows.bind(integer: rows.lowerBound, at: 2)
        return try findRows.step()
    }

    /// Notes rows that an import has stored; nil for those of no import.
    func note(_ runs: RowRuns, of kind: RecordKind, by file: ImportedFile?) throws {
        guard let first = runs.runs.first, let last = runs.runs.last else { return }
        let rows = first.lowerBound...last.upperBound
        try add(file, kind: kind.rawValue, rows: rows, runs.bytes)
    }

    /// Notes rows of samples that an import will deliver to a gateway.
    func note(delivered runs: RowRuns, by file: ImportedFile) throws {
        guard let first = runs.runs.first, let last = runs.runs.last else { return }
        let rows = first.lowerBound...last.upperBound
        try add(file, kind: Self.delivered, rows: rows, runs.bytes)
    }

    /// Notes what a file has of a workout; nil for a workout of no import.
    func note(contribution content: [UInt8], to key: Int64, by file: ImportedFile?) throws {
        try add(file, kind: Self.contribution, rows: key...key, content)
    }

    /// Whether it is noted what a file, or any, has of a workout.
    func hasContribution(
        to key: Int64, by file: ImportedFile? = nil, _ content: [UInt8] = []
    ) throws -> Bool {
        try findContribution.bind(integer: key, at: 1)
        try findContribution.bind(integer: file?.key, at: 2)
        try content.withUnsafeBytes { try findContribution.bind(blob: $0, at: 3) }
        defer { findContribution.reset() }
        return try findContribution.step()
    }

    /// Removes what files have of a workout.
    func removeContributions(to key: Int64) throws {
        contributions.reset()
        try contributions.bind(integer: key, at: 1)
        try contributions.run()
    }

    /// Notes records that an import has stored, by their ids; nil for those of no import.
    func note(_ ids: [RecordID], of kind: RecordKind, by file: ImportedFile?) throws {
        guard !ids.isEmpty else { return }
        try add(file, kind: -kind.rawValue, rows: 0...0, ids.flatMap(\.bytes))
    }

    /// Clears the bindings of a transaction that failed.
    func reset() {
        for statement in [find, findRows, insert, trim] { statement.reset() }
    }

    private func add(
        _ file: ImportedFile?, kind: Int64, rows: ClosedRange<Int64>, _ content: [UInt8]
    ) throws {
        try insert.bind(integer: file?.key ?? 0, at: 1)
        try insert.bind(integer: kind, at: 2)
        try insert.bind(integer: rows.lowerBound, at: 3)
        try insert.bind(integer: rows.upperBound, at: 4)
        try content.withUnsafeBytes { try insert.bind(blob: $0, at: 5) }
        try insert.run()
    }
}
