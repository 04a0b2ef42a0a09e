import HealthModel
import SQLite

/// Reads device events from the store.
struct EventReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup

    init(_ connection: SQLiteConnection, _ lookup: RowLookup) {
        self.connection = connection
        self.lookup = lookup
    }

    /// Returns the events from one time until before another, the oldest first.
    func events(from: Instant?, to: Instant?, limit: Int?) throws -> [DeviceEvent] {
        // A file of an older program that is only read has no such column.
        let hasMetadata = try connection.userVersion >= Schema.eventMetadataVersion
        let statement = try connection.prepare(
            """
            SELECT sequence, id, at_ns, device, source, person, connection, contact, battery, reason,
                \(hasMetadata ? "metadata" : "NULL")
            FROM event WHERE at_ns BETWEEN ?1 AND ?2
            ORDER BY at_ns, sequence LIMIT ?3
            """)
        let last = to?.adding(nanoseconds: -1)
        try statement.bind(integer: from?.nanosecondsSince1970 ?? .min, at: 1)
        try statement.bind(integer: last?.nanosecondsSince1970 ?? .max, at: 2)
        // SQLite takes a negative limit as none.
        try statement.bind(integer: limit.map { Int64(max($0, 0)) } ?? -1, at: 3)
        var events: [DeviceEvent] = []
        try statement.forEachRow { events.append(try event(of: $0)) }
        return events
    }

    private func event(of row: SQLiteStatement) throws -> DeviceEvent {
        guard let id = RecordID(row, at: 1) else { throw unreadable("id", row) }
        var text = MetadataText()
        guard let metadata = text.metadata(of: row.text(at: 10)) else {
            throw unreadable("metadata", row)
        }
        return DeviceEvent(
            id: id, at: Instant(nanosecondsSince1970: row.integer(at: 2)),
            device: try lookup.devices.value(of: row.integer(at: 3)),
            source: try lookup.sources.value(at: 4, of: row),
            person: try lookup.people.value(at: 5, of: row),
            state: try state(of: row), reason: row.text(at: 9), metadata: metadata)
    }

    private func state(of row: SQLiteStatement) throws -> DeviceState {
        let name = row.text(at: 6)
        let connection = name.flatMap { DeviceState.Connection(rawValue: $0) }
        guard (name == nil) == (connection == nil) else { throw unreadable("connection", row) }
        return DeviceState(
            connection: connection,
            contact: row.isNull(at: 7) ? nil : row.integer(at: 7) != 0,
            battery: row.isNull(at: 8) ? nil : row.real(at: 8))
    }

    private func unreadable(_ column: String, _ row: SQLiteStatement) -> HealthStoreError {
        .unreadable(
            table: "event", row: row.integer(at: 0), column: column, path: connection.path)
    }
}
