import HealthModel
import HealthStore
import SQLite

/// Reads what was stored and removed since an anchor.
///
/// Without an anchor it first reads all rows, kind by kind, and then the changes since this began.
struct ChangeReader {
    /// The maximum number of changes that one call reads.
    private static let maximumChanges = 4_096
    /// The minimum number of rows that are read at once with a filter.
    private static let filteredRows = 256

    let connection: SQLiteConnection
    private let rows: RowReader
    let limit: Int
    let store: UInt64
    /// The number of the newest change; 0 when there is none.
    private let newest: Int64
    private var added: [Record] = []
    private var addedIDs: Set<RecordID> = []
    private var removed: [RecordID] = []
    /// What a reader may see; nil for everything.
    private let filter: ChangeFilter?
    /// After the last change that the filter permits.
    private(set) var shown: (Int64, StoreAnchor.Place?)?
    /// The number of records and deletions that were looked at.
    private var seenCount = 0
    private var missing: Int { limit - added.count - removed.count }
    /// How many rows to read at once: with a filter more than are missing, since it may leave out most.
    private var rowsAtOnce: Int { filter == nil ? missing : max(missing, Self.filteredRows) }
    private var isFull: Bool {
        missing <= 0 || filter != nil && seenCount >= Self.maximumChanges
    }

    /// Prepares to read, within a read transaction.
    ///
    /// - Parameters:
    ///   - limit: The number of changed records after which a call ends.
    ///   - filter: What a reader may see; nil for everything.
    init(
        _ connection: SQLiteConnection, _ lookup: RowLookup, types: QuantityTypes, limit: Int,
        filter: ChangeFilter? = nil
    ) throws {
        guard try connection.userVersion >= Schema.changeVersion else {
            throw SQLiteStoreError.noHistory(path: connection.path)
        }
        self.connection = connection
        self.limit = max(limit, 1)
        self.filter = filter
        rows = try RowReader(connection, lookup, types: types)
        store = try connection.storeIdentity()
        newest = try connection.integer(of: "SELECT max(number) FROM change") ?? 0
    }

    /// The anchor of the newest change.
    func newestAnchor() throws -> StoreAnchor { try anchor(newest, nil) }

    func anchor(_ number: Int64, _ place: StoreAnchor.Place?) throws -> StoreAnchor {
        let known = Self.knownChange(number, place)
        return StoreAnchor(
            store: store, number: number, checksum: try checksum(of: known), place: place)
    }

    /// The last change that an anchor has read, at least in part.
    private static func knownChange(_ number: Int64, _ place: StoreAnchor.Place?) -> Int64 {
        place != nil && place?.kind == nil && number < .max ? number + 1 : number
    }

    /// The checksum of a change (FNV-1a of its kind and content); 0 when there is none.
    private func checksum(of number: Int64) throws -> UInt32 {
        let change = try connection.prepare("SELECT kind, content FROM change WHERE number = ?")
        try change.bind(integer: number, at: 1)
        guard try change.step() else { return 0 }
        let kind = UInt8(truncatingIfNeeded: change.integer(at: 0))
        return change.withBlob(at: 1) { content in
            ([kind] + content).reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        }
    }

    private static let beginning = StoreAnchor.Place(kind: RecordKind.allCases[0], row: .min)

    /// The anchor before all records.
    func firstAnchor() throws -> StoreAnchor { try anchor(newest, Self.beginning) }

    /// Returns the changes since an anchor; nil for all records.
    mutating func changes(since anchor: StoreAnchor?) throws -> StoreChanges {
        if let anchor { try check(anchor) }
        var number = anchor?.number ?? newest
        var place = anchor == nil ? Self.beginning : anchor?.place
        if let start = place, let kind = start.kind {
            place = try readAll(kind, after: start.row, since: number)
        }
        if place?.kind == nil { (number, place) = try readLog(after: number, place) }
        return StoreChanges(
            added: added, removed: removed, anchor: try self.anchor(number, place),
            hasMore: place != nil || number < newest)
    }

    func check(_ anchor: StoreAnchor) throws {
        let known = Self.knownChange(anchor.number, anchor.place)
        guard anchor.store == store, known <= newest else {
            throw HealthStoreError.foreignAnchor
        }
        let oldest = try connection.integer(of: "SELECT min(number) FROM change") ?? 1
        guard oldest <= anchor.number + 1 else {
            throw HealthStoreError.expiredAnchor
        }
        // The oldest change that is known may follow the one of the anchor.
        guard try oldest > known || checksum(of: known) == anchor.checksum else {
            throw HealthStoreError.foreignAnchor
        }
    }

    // MARK: All records

    /// Reads rows of a kind and of those after it; returns where it has ended, nil when all are read.
    private mutating func readAll(
        _ first: RecordKind, after row: Int64, since number: Int64
    ) throws -> StoreAnchor.Place? {
        var row = row
        for kind in RecordKind.allCases.drop(while: { $0 != first }) {
            let wanted = rowsAtOnce
            let found = try rows.records(of: kind, after: row, through: .max, limit: wanted)
            if let row = add(found, of: wanted, at: { (number, .init(kind: kind, row: $0)) }) {
                return StoreAnchor.Place(kind: kind, row: row)
            }
            row = .min
        }
        return nil
    }

    // MARK: The log

    /// Reads the changes after one; returns the last one that was read completely, and the place in the
    /// next one.
    private mutating func readLog(
        after number: Int64, _ place: StoreAnchor.Place?
    ) throws -> (Int64, StoreAnchor.Place?) {
        let changes = try connection.prepare(
            "SELECT number, kind, content FROM change WHERE number > ? ORDER BY number LIMIT ?")
        try changes.bind(integer: number, at: 1)
        try changes.bind(integer: Int64(Self.maximumChanges), at: 2)
        var (number, place) = (number, place)
        defer { changes.reset() }
        while !isFull, try changes.step() {
            place = try read(changes, after: place?.row, since: number)
            if place != nil { break }
            number = changes.integer(at: 0)
        }
        return (number, place)
    }

    /// Reads a change; returns where it has ended, nil when it is read completely.
    private mutating func read(
        _ change: SQLiteStatement, after row: Int64?, since number: Int64
    ) throws -> StoreAnchor.Place? {
        let kind = change.integer(at: 1)
        let found = try self.kind(of: change)
        if kind < 0 {
            try readRemoved(change, found)
            return nil
        }
        guard let runs = change.withBlob(at: 2, { RowRuns($0) }) else {
            throw unreadable("content", change)
        }
        for run in runs.runs where run.upperBound > row ?? .min {
            let first = max(run.lowerBound == .min ? .min : run.lowerBound - 1, row ?? .min)
            let wanted = rowsAtOnce
            let records = try rows.records(
                of: found, after: first, through: run.upperBound, limit: wanted)
            if let row = add(records, of: wanted, at: { (number, .init(kind: nil, row: $0)) }) {
                let isComplete = row >= runs.runs.last?.upperBound ?? .max
                return isComplete ? nil : StoreAnchor.Place(kind: nil, row: row)
            }
        }
        return nil
    }

    private mutating func readRemoved(_ change: SQLiteStatement, _ kind: RecordKind) throws {
        let stored = DeletionRows(connection, kind)
        // One may have been stored again since.
        var ids = try removedIDs(of: change).filter { try stored.find($0) == nil }
        seenCount += ids.count
        if let filter { ids = try deletions(change, ids).filter(filter.deletion).map(\.id) }
        removed += ids
        if !ids.isEmpty { shown = (change.integer(at: 0), nil) }
    }

    /// The kind of the records of a change.
    func kind(of change: SQLiteStatement) throws -> RecordKind {
        let number = Int64(clamping: change.integer(at: 1).magnitude)
        let plain = isReplacement(change) ? number - ChangeLog.replacedKind : number
        guard let kind = RecordKind(rawValue: plain) else { throw unreadable("kind", change) }
        return kind
    }

    /// Whether a later version has replaced the records of a change.
    func isReplacement(_ change: SQLiteStatement) -> Bool {
        change.integer(at: 1) < -ChangeLog.replacedKind
    }

    /// The ids of a change that has removed records.
    func removedIDs(of change: SQLiteStatement) throws -> [RecordID] {
        let head = isReplacement(change) ? ChangeLog.replacedHead : 0
        let ids = change.withBlob(at: 2) { bytes in
            stride(from: head, to: bytes.count, by: 16).map {
                RecordID(bytes: bytes[$0..<min($0 + 16, bytes.count)])
            }
        }
        return try ids.map { id in
            guard let id else { throw unreadable("content", change) }
            return id
        }
    }

    /// Adds the records of rows, of which this many were wanted; returns the row at which the call ends, nil when
    /// there are no further ones.
    ///
    /// Records of one row stay together: an anchor leads to the next row.
    private mutating func add(
        _ found: [(number: Int64, record: Record)], of wanted: Int,
        at place: (Int64) -> (Int64, StoreAnchor.Place?)
    ) -> Int64? {
        for (index, (row, record)) in found.enumerated() {
            add(record, at: place(row))
            let isLastOfRow = index + 1 == found.count || found[index + 1].number != row
            if isFull, isLastOfRow { return row }
        }
        return found.count >= wanted ? found.last?.number : nil
    }

    /// Adds a record once: a row is in several changes when it was stored between the rows of one.
    private mutating func add(_ record: Record, at place: (Int64, StoreAnchor.Place?)) {
        seenCount += 1
        guard filter?.record(record) ?? true else { return }
        shown = place
        if addedIDs.insert(record.id).inserted { added.append(record) }
    }

    func unreadable(_ column: String, _ row: SQLiteStatement) -> SQLiteStoreError {
        .unreadable(
            table: "change", row: row.integer(at: 0), column: column, path: connection.path)
    }
}

extension SQLiteConnection {
    /// The random number of the store.
    func storeIdentity() throws -> UInt64 {
        UInt64(bitPattern: try integer(of: "SELECT store FROM identity") ?? 0)
    }

    /// The first column of the first row; nil when there is none or it is NULL.
    fileprivate func integer(of sql: String) throws -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step(), !statement.isNull(at: 0) else { return nil }
        return statement.integer(at: 0)
    }
}
