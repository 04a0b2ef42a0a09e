import HealthModel
import SQLite

/// Reads category samples, and correlations with their members.
struct CorrelationReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup

    init(_ connection: SQLiteConnection, _ lookup: RowLookup) {
        self.connection = connection
        self.lookup = lookup
    }

    static let categoryColumns =
        "sequence, id, start_ns, end_ns, person, device, source, metadata, value"
    static let categories = RecordTable(name: "category", columns: categoryColumns)
    static let correlations = RecordTable(
        name: "correlation",
        columns: "sequence, id, start_ns, end_ns, person, device, source, metadata")

    /// Reads the sample of a row with the columns of `categoryColumns`.
    func sample(
        of row: SQLiteStatement, type: CategoryType, metadata: inout MetadataText
    ) throws -> CategorySample {
        let head = try head(of: row, in: "category", &metadata)
        do {
            return try CategorySample(
                id: head.id, type: type, start: Instant(nanosecondsSince1970: row.integer(at: 2)),
                end: Instant(nanosecondsSince1970: row.integer(at: 3)),
                value: Int(row.integer(at: 8)), person: head.person, device: head.device,
                source: head.source, metadata: head.metadata)
        } catch {
            throw unreadable("value, start_ns or end_ns", row, in: "category")
        }
    }

    /// Reads the correlation of a row with the columns of `correlations`.
    func correlation(
        of row: SQLiteStatement, type: CorrelationType, _ samples: [Correlation.Member],
        metadata: inout MetadataText
    ) throws -> Correlation {
        let head = try head(of: row, in: "correlation", &metadata)
        do {
            return try Correlation(
                withoutLengthLimit: head.id, type: type,
                start: Instant(nanosecondsSince1970: row.integer(at: 2)),
                end: Instant(nanosecondsSince1970: row.integer(at: 3)), samples: samples,
                person: head.person, device: head.device, source: head.source,
                metadata: head.metadata)
        } catch {
            throw unreadable("members, start_ns or end_ns", row, in: "correlation")
        }
    }

    private struct Head {
        let id: RecordID
        let person: String?
        let device: Device?
        let source: SourceRevision?
        let metadata: Metadata
    }

    private func head(
        of row: SQLiteStatement, in table: String, _ metadata: inout MetadataText
    ) throws -> Head {
        guard let id = RecordID(row, at: 1) else { throw unreadable("id", row, in: table) }
        guard let metadata = metadata.metadata(of: row.text(at: 7)) else {
            throw unreadable("metadata", row, in: table)
        }
        return Head(
            id: id, person: try lookup.people.value(at: 4, of: row),
            device: try lookup.devices.value(at: 5, of: row),
            source: try lookup.sources.value(at: 6, of: row), metadata: metadata)
    }

    private func unreadable(
        _ column: String, _ row: SQLiteStatement, in table: String
    ) -> SQLiteStoreError {
        .unreadable(table: table, row: row.integer(at: 0), column: column, path: connection.path)
    }
}
