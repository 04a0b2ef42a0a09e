import HealthModel
import SQLite

/// What many samples have in common.
struct StoredOrigin: Hashable {
    let unit: Unit
    let person: String?
    let device: Device?
    let source: SourceRevision?
    let isEntered: Bool

    init(_ sample: QuantitySample) {
        unit = sample.quantity.unit
        person = sample.person
        device = sample.device
        source = sample.source
        isEntered = sample.metadata[.wasUserEntered] == true
    }
}

/// A row of the table `origin`.
struct OriginRow: Hashable {
    var unit: Int64
    var person: Int64?
    var device: Int64?
    var source: Int64?
    var isEntered: Bool

    fileprivate func bind(to statement: SQLiteStatement) throws {
        try statement.bind(integer: unit, at: 1)
        try statement.bind(integer: person, at: 2)
        try statement.bind(integer: device, at: 3)
        try statement.bind(integer: source, at: 4)
        try statement.bind(integer: isEntered ? 1 : 0, at: 5)
    }

    fileprivate static let findSQL = """
        SELECT id FROM origin WHERE unit = ?1 AND coalesce(person, 0) = coalesce(?2, 0)
            AND coalesce(device, 0) = coalesce(?3, 0) AND coalesce(source, 0) = coalesce(?4, 0)
            AND is_entered = ?5
        """
    fileprivate static let insertSQL = """
        INSERT INTO origin (unit, person, device, source, is_entered) VALUES (?1, ?2, ?3, ?4, ?5)
        """
}

extension RowIdentifiers<OriginRow> {
    /// Makes a cache for the table `origin`.
    convenience init(originRowsOn connection: SQLiteConnection) throws {
        try self.init(
            on: connection, find: OriginRow.findSQL, insert: OriginRow.insertSQL,
            bind: { try $0.bind(to: $1) })
    }
}

extension RowIdentifiers<StoredOrigin> {
    /// Makes a cache for the table `origin` by values.
    convenience init(
        originsOn connection: SQLiteConnection, row: @escaping (StoredOrigin) throws -> OriginRow
    ) throws {
        try self.init(
            on: connection, find: OriginRow.findSQL, insert: OriginRow.insertSQL,
            bind: { try row($0).bind(to: $1) })
    }
}
