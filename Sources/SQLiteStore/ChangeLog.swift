import HealthModel
import HealthStore
import SQLite

/// Writes the log of changes, in the table `change`: which rows a transaction has stored, and the ids of
/// the records that it has removed.
///
/// The ids of records that a later version has replaced follow the row of their type and the time, because
/// no deletion notes these.
///
/// The numbers of the rows of samples come from their ids, not from the order of their storage. The log
/// keeps them as runs of rows with no others between them; most transactions have one. A row that is
/// stored later between the ends of a run is in a later change too.
final class ChangeLog {
    /// The records of one kind and type that a transaction has replaced.
    struct Replaced: Hashable {
        let kind: RecordKind
        /// The row of the type; 0 for a kind without types.
        let type: Int64
    }

    /// What the number of a kind is more for records that were replaced.
    static let replacedKind: Int64 = 100
    /// The bytes before the ids of replaced records.
    static let replacedHead = 16

    /// The number of changes that are kept; an anchor before them is no longer valid.
    ///
    /// A change with one run of rows takes some 25 bytes.
    static let limit: Int64 = 1_000_000
    /// The oldest changes are removed this many at a time.
    private static let trimCount: Int64 = 1_024

    private let connection: SQLiteConnection
    private let insert: SQLiteStatement
    private let trim: SQLiteStatement
    private let countRows: SQLiteStatement
    private let findRowBetween: SQLiteStatement
    private let findLastRow: SQLiteStatement
    private let limit: Int64
    /// The last row of a sample before this transaction; what follows it is new.
    private(set) var lastRow = Int64.max

    /// Prepares the statements.
    ///
    /// - Parameter limit: The number of changes that are kept.
    init(_ connection: SQLiteConnection, limit: Int64 = ChangeLog.limit) throws {
        self.connection = connection
        self.limit = limit
        insert = try connection.prepare("INSERT INTO change (kind, content) VALUES (?, ?)")
        trim = try connection.prepare("DELETE FROM change WHERE number <= ?")
        countRows = try connection.prepare(
            """
            SELECT count(*) FROM (SELECT 1 FROM sample WHERE sequence BETWEEN ?1 AND ?2 LIMIT ?3)
            """)
        findRowBetween = try connection.prepare(
            "SELECT 1 FROM sample WHERE sequence > ?1 AND sequence < ?2 LIMIT 1")
        findLastRow = try connection.prepare("SELECT max(sequence) FROM sample")
    }

    /// Notes where new rows begin, before a transaction inserts any.
    func begin() throws {
        defer { findLastRow.reset() }
        lastRow = try findLastRow.step() ? findLastRow.integer(at: 0) : .max
    }

    /// Notes the rows of one kind that were stored in this transaction.
    func note(stored rows: [Int64], of kind: RecordKind) throws {
        guard !rows.isEmpty else { return }
        try add(kind.rawValue, runs(of: rows, kind).bytes)
    }

    /// The rows of one kind that were stored in this transaction, as runs.
    func runs(of rows: [Int64], _ kind: RecordKind) throws -> RowRuns {
        guard !rows.isEmpty else { return RowRuns([]) }
        return try kind == .sample ? runs(ofSamples: rows) : RowRuns([Self.span(rows)])
    }

    /// Notes records of one kind that were removed in this transaction.
    func note(removed ids: [RecordID], of kind: RecordKind) throws {
        guard !ids.isEmpty else { return }
        try add(-kind.rawValue, ids.flatMap(\.bytes))
    }

    /// Notes records of one kind and type that were replaced in this transaction.
    func note(replaced ids: [RecordID], of group: Replaced, at time: Instant) throws {
        let head = [group.type, time.nanosecondsSince1970].flatMap(\.bigEndianBytes)
        try add(-group.kind.rawValue - Self.replacedKind, head + ids.flatMap(\.bytes))
    }

    /// Clears the bindings of a transaction that failed.
    func reset() {
        for statement in [insert, trim, countRows, findRowBetween, findLastRow] {
            statement.reset()
        }
    }

    private func add(_ kind: Int64, _ content: [UInt8]) throws {
        try insert.bind(integer: kind, at: 1)
        try content.withUnsafeBytes { try insert.bind(blob: $0, at: 2) }
        try insert.run()
        let number = connection.lastInsertedRow
        guard number % Self.trimCount == 0, number > limit else { return }
        try trim.bind(integer: number - limit, at: 1)
        try trim.run()
    }

    /// Only the rows of samples are not in the order of their storage, and most of those are: what
    /// follows the last row before this transaction is new, so that only the others are looked at.
    private func runs(ofSamples rows: [Int64]) throws -> RowRuns {
        let late = rows.filter { $0 <= lastRow }.sorted()
        var runs = try self.runs(ofLate: late)
        if late.count < rows.count { runs.append(Self.span(rows.filter { $0 > lastRow })) }
        return runs
    }

    private func runs(ofLate rows: [Int64]) throws -> RowRuns {
        if let first = rows.first, let last = rows.last,
            try count(from: first, through: last, limit: rows.count + 1) == Set(rows).count
        {
            return RowRuns([first...last])
        }
        return try RowRuns(ofSorted: rows) { try !hasRow(between: $0, $1) }
    }

    private static func span(_ rows: [Int64]) -> ClosedRange<Int64> {
        (rows.min() ?? 0)...(rows.max() ?? 0)
    }

    private func count(from first: Int64, through last: Int64, limit: Int) throws -> Int64 {
        if first == last { return 1 }
        defer { countRows.reset() }
        try countRows.bind(integer: first, at: 1)
        try countRows.bind(integer: last, at: 2)
        try countRows.bind(integer: Int64(limit), at: 3)
        return try countRows.step() ? countRows.integer(at: 0) : 0
    }

    func hasRow(between first: Int64, _ second: Int64) throws -> Bool {
        defer { findRowBetween.reset() }
        try findRowBetween.bind(integer: first, at: 1)
        try findRowBetween.bind(integer: second, at: 2)
        return try findRowBetween.step()
    }
}

extension Int64 {
    fileprivate var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }

    /// Makes a number of 8 bytes.
    init(bigEndianBytes bytes: Slice<UnsafeRawBufferPointer>) {
        self = Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}
