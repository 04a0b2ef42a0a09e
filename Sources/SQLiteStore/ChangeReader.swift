import HealthModel
import HealthStore
import SQLite

/// Reads what was stored and removed since an anchor.
///
/// Without an anchor it first reads all rows, kind by kind, and then the changes since this began.
struct ChangeReader {
    /// The maximum number of changes that one call reads.
    private static let maximumChanges = 4_096

    private let connection: SQLiteConnection
    private let rows: RowReader
    private let limit: Int
    private let store: UInt64
    /// The number of the newest change; 0 when there is none.
    private let newest: Int64
    private var added: [Record] = []
    private var addedIDs: Set<RecordID> = []
    private var removed: [RecordID] = []
    private var remaining: Int { limit - added.count - removed.count }

    /// Prepares to read, within a read transaction.
    ///
    /// - Parameter limit: The number of changed records after which a call ends.
    init(
        _ connection: SQLiteConnection, _ lookup: RowLookup, types: QuantityTypes, limit: Int
    ) throws {
        guard try connection.userVersion >= Schema.changeVersion else {
            throw SQLiteStoreError.noHistory(path: connection.path)
        }
        self.connection = connection
        self.limit = max(limit, 1)
        rows = try RowReader(connection, lookup, types: types)
        store = UInt64(
            bitPattern: try connection.integer(of: "SELECT store FROM identity") ?? 0)
        newest = try connection.integer(of: "SELECT max(number) FROM change") ?? 0
    }

    /// The anchor of the newest change.
    var newestAnchor: StoreAnchor { StoreAnchor(store: store, number: newest) }

    /// Returns the changes since an anchor; nil for all records.
    mutating func changes(since anchor: StoreAnchor?) throws -> StoreChanges {
        let beginning = StoreAnchor.Place(kind: RecordKind.allCases[0], row: .min)
        var anchor =
            anchor ?? StoreAnchor(store: store, number: newest, place: beginning)
        try check(anchor)
        if let place = anchor.place, let kind = place.kind {
            anchor = StoreAnchor(
                store: store, number: anchor.number, place: try readAll(kind, after: place.row))
        }
        if anchor.place?.kind == nil { anchor = try readLog(after: anchor) }
        return StoreChanges(
            added: added, removed: removed, anchor: anchor,
            hasMore: anchor.place != nil || anchor.number < newest)
    }

    private func check(_ anchor: StoreAnchor) throws {
        guard anchor.store == store, anchor.number <= newest else {
            throw SQLiteStoreError.foreignAnchor(path: connection.path)
        }
        let oldest = try connection.integer(of: "SELECT min(number) FROM change") ?? 1
        guard oldest <= anchor.number + 1 else {
            throw SQLiteStoreError.expiredAnchor(path: connection.path)
        }
    }

    // MARK: All records

    /// Reads rows of a kind and of those after it; returns where it has ended, nil when all are read.
    private mutating func readAll(
        _ first: RecordKind, after row: Int64
    ) throws -> StoreAnchor.Place? {
        var row = row
        for kind in RecordKind.allCases.drop(while: { $0 != first }) {
            let wanted = remaining
            let found = try rows.records(of: kind, after: row, through: .max, limit: wanted)
            for (_, record) in found { add(record) }
            if found.count >= wanted, let last = found.last {
                return StoreAnchor.Place(kind: kind, row: last.number)
            }
            row = .min
        }
        return nil
    }

    // MARK: The log

    private mutating func readLog(after anchor: StoreAnchor) throws -> StoreAnchor {
        let changes = try connection.prepare(
            "SELECT number, kind, content FROM change WHERE number > ? ORDER BY number LIMIT ?")
        try changes.bind(integer: anchor.number, at: 1)
        try changes.bind(integer: Int64(Self.maximumChanges), at: 2)
        var anchor = anchor
        defer { changes.reset() }
        while remaining > 0, try changes.step() {
            let place = try read(changes, after: anchor.place?.row)
            let number = changes.integer(at: 0)
            anchor = StoreAnchor(
                store: store, number: place == nil ? number : number - 1, place: place)
            if place != nil { break }
        }
        return anchor
    }

    /// Reads a change; returns where it has ended, nil when it is read completely.
    private mutating func read(
        _ change: SQLiteStatement, after row: Int64?
    ) throws -> StoreAnchor.Place? {
        let kind = change.integer(at: 1)
        guard let found = RecordKind(rawValue: Int64(clamping: kind.magnitude)) else {
            throw unreadable("kind", change)
        }
        if kind < 0 {
            try readRemoved(change, found)
            return nil
        }
        guard let runs = change.withBlob(at: 2, { RowRuns($0) }) else {
            throw unreadable("content", change)
        }
        for run in runs.runs where run.upperBound > row ?? .min {
            let first = max(run.lowerBound == .min ? .min : run.lowerBound - 1, row ?? .min)
            let wanted = remaining
            let records = try rows.records(
                of: found, after: first, through: run.upperBound, limit: wanted)
            for (_, record) in records { add(record) }
            if records.count >= wanted, let last = records.last {
                let isComplete = last.number >= runs.runs.last?.upperBound ?? .max
                return isComplete ? nil : StoreAnchor.Place(kind: nil, row: last.number)
            }
        }
        return nil
    }

    private mutating func readRemoved(_ change: SQLiteStatement, _ kind: RecordKind) throws {
        let ids = change.withBlob(at: 2) { bytes in
            stride(from: 0, to: bytes.count, by: 16).map {
                RecordID(bytes: bytes[$0..<min($0 + 16, bytes.count)])
            }
        }
        let stored = DeletionRows(connection, kind)
        for id in ids {
            guard let id else { throw unreadable("content", change) }
            // It may have been stored again since.
            if try stored.find(id) == nil { removed.append(id) }
        }
    }

    /// Adds a record once: a row is in several changes when it was stored between the rows of one.
    private mutating func add(_ record: Record) {
        if addedIDs.insert(record.id).inserted { added.append(record) }
    }

    private func unreadable(_ column: String, _ row: SQLiteStatement) -> SQLiteStoreError {
        .unreadable(
            table: "change", row: row.integer(at: 0), column: column, path: connection.path)
    }
}

extension SQLiteConnection {
    /// The first column of the first row; nil when there is none or it is NULL.
    fileprivate func integer(of sql: String) throws -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step(), !statement.isNull(at: 0) else { return nil }
        return statement.integer(at: 0)
    }
}
