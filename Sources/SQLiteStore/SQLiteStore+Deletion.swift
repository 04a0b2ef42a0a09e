package import HealthModel
package import HealthStore
import SQLite

extension SQLiteStore {
    /// Deletes the next batch of records of a deletion, in one transaction; repeat it until the
    /// deletion is complete.
    ///
    /// A sample of a correlation is deleted with the correlation and its other members. The ids of all
    /// deleted records are noted. A deletion that was interrupted can be started again.
    package func deleteNext(of deletion: Deletion) throws -> Deletion {
        // What the writer knows of rows may be gone.
        writer = nil
        // The types of deleted records are not written to a temporary file.
        try connection.pragma("temp_store", to: "MEMORY")
        let rest = try RecordDeleter(connection, lookup).deleteNext(of: deletion)
        // Otherwise the zeros would be in the log, and what they overwrite in the file.
        if rest.isComplete { _ = try? truncateLog() }
        return rest
    }

    /// Deletes records in batches and returns how many of each type.
    package nonisolated func delete(
        _ selection: DeletionSelection, at time: Instant
    ) async throws -> [DeletionCount] {
        var deletion = Deletion(selection, at: time)
        while !deletion.isComplete { deletion = try await deleteNext(of: deletion) }
        return deletion.counts
    }

    /// Returns the selected records by type and person, without those that are deleted together with
    /// them.
    package func groups(of selection: DeletionSelection) throws -> [DeletionGroup] {
        var groups: [DeletionGroup] = []
        for kind in selection.kinds where try hasTable(of: kind) {
            let rows = DeletionRows(connection, kind)
            if case .records(let ids, _) = selection {
                for id in Set(ids) {
                    if let group = try rows.group(of: id, lookup) { groups.add(group) }
                }
            } else if let conditions = try DeletionConditions(selection, kind, lookup) {
                groups += try rows.groups(where: conditions.sql, conditions.parameters, lookup)
            }
        }
        return groups
    }

    /// The kind of the record with an id; nil when the store contains none.
    package func kind(of id: RecordID) throws -> RecordKind? {
        try RecordKind.allCases.first { kind in
            guard try hasTable(of: kind) else { return false }
            return try DeletionRows(connection, kind).find(id) != nil
        }
    }

    private func hasTable(of kind: RecordKind) throws -> Bool {
        let version = try connection.userVersion
        return switch kind {
        case .sample, .event: true
        case .category, .correlation: version >= Schema.correlationVersion
        case .workout: version >= Schema.workoutVersion
        }
    }

    /// Deletes records that were deleted from another store; those of this one are left alone, because it
    /// may have the record again.
    ///
    /// They are not noted: when the other store has a record again, it follows its deletion.
    func delete(_ deleted: [DeletedRecord]) throws {
        let own = try connection.storeIdentity()
        let foreign = deleted.filter { $0.store != own }
        for (time, part) in Dictionary(grouping: foreign, by: \.at) {
            var deletion = Deletion(
                .records(part.map(\.id), kinds: Set(RecordKind.allCases)), at: time,
                isNoted: false)
            while !deletion.isComplete { deletion = try deleteNext(of: deletion) }
        }
    }
}
