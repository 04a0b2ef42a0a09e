package import HealthModel
import HealthStore
import SQLite

/// The ids of deleted records, in the table `deletion`.
final class DeletedRecords {
    private let findAny: SQLiteStatement
    private let find: SQLiteStatement
    private let remove: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        findAny = try connection.prepare("SELECT 1 FROM deletion LIMIT 1")
        find = try connection.prepare("SELECT 1 FROM deletion WHERE id = ?")
        remove = try connection.prepare("DELETE FROM deletion WHERE id = ?")
    }

    /// Whether no record is deleted; then there is nothing to compare.
    func isEmpty() throws -> Bool {
        defer { findAny.reset() }
        return try !findAny.step()
    }

    /// Whether a record, or a member of it, was deleted.
    func contains(_ record: Record) throws -> Bool {
        try record.deletionIDs.contains { try contains($0) }
    }

    /// Forgets that a record and its members were deleted.
    func forget(_ record: Record) throws {
        for id in record.deletionIDs where try contains(id) {
            try remove.bind(id, at: 1)
            try remove.run()
        }
    }

    /// Clears the bindings of a record that failed.
    func reset() {
        for statement in [findAny, find, remove] { statement.reset() }
    }

    private func contains(_ id: RecordID) throws -> Bool {
        defer { find.reset() }
        try find.bind(id, at: 1)
        return try find.step()
    }
}

extension Record {
    /// The ids that a deletion of this record notes: of the record, of its members, and of the first
    /// version of a workout.
    fileprivate var deletionIDs: [RecordID] {
        switch self {
        case .correlation(let correlation): [id] + correlation.samples.map(\.id)
        case .workout(let workout):
            [id] + (RecordID(uuidString: workout.identifier).map { [$0] } ?? [])
        case .sample, .category, .event: [id]
        case .deletion: []
        }
    }
}

extension RecordWriter {
    /// Returns the records that were not deleted or, when restoring, all, and forgets their deletion.
    func notDeleted(_ records: [Record], restoring: Bool) throws -> [Record] {
        guard try !deletedRecords.isEmpty() else { return records }
        guard restoring else {
            return try records.filter { try !isRefused($0) }
        }
        for record in records { try deletedRecords.forget(record) }
        return records
    }

    /// Whether a record is left out, because it was deleted.
    func isRefused(_ record: Record) throws -> Bool {
        guard try deletedRecords.contains(record) else { return false }
        if let kind = RecordKind(record) { refused[kind, default: []].append(record.id) }
        return true
    }
}

extension SQLiteStore {
    /// Whether any record was ever deleted.
    package func hasDeletedRecords() throws -> Bool {
        guard try connection.userVersion >= Schema.deletionVersion else { return false }
        return try !DeletedRecords(connection).isEmpty()
    }

    /// Whether one of these records was deleted.
    package func containsDeleted(_ records: [Record]) throws -> Bool {
        guard try hasDeletedRecords() else { return false }
        let deleted = try DeletedRecords(connection)
        return try records.contains { try deleted.contains($0) }
    }

    /// Forgets that records were deleted, so that they are stored when they are delivered again.
    package func forgetDeletion(of records: [Record]) throws {
        let deleted = try DeletedRecords(connection)
        try connection.transaction {
            for record in records { try deleted.forget(record) }
        }
    }
}
