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

    /// The table `event`, without metadata in an older schema version.
    static func table(hasMetadata: Bool) -> RecordTable {
        RecordTable(
            name: "event",
            columns: """
                sequence, id, at_ns, device, source, person, connection, contact, battery, reason,
                \(hasMetadata ? "metadata" : "NULL")
                """,
            time: "at_ns")
    }

    /// Reads the event of a row with the columns of `table`.
    func event(of row: SQLiteStatement, metadata: inout MetadataText) throws -> DeviceEvent {
        guard let id = RecordID(row, at: 1) else { throw unreadable("id", row) }
        guard let metadata = metadata.metadata(of: row.text(at: 10)) else {
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

    private func unreadable(_ column: String, _ row: SQLiteStatement) -> SQLiteStoreError {
        .unreadable(
            table: "event", row: row.integer(at: 0), column: column, path: connection.path)
    }
}
