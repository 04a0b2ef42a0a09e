import HealthModel
import HealthStore

/// Records and deletions of a batch that follow each other.
enum BatchPart {
    case records([Record])
    case deletions([DeletedRecord])
}

extension [Record] {
    /// The records and the deletions, in order; nearly always there are no deletions.
    func splitAtDeletions() -> [BatchPart] {
        guard contains(where: \.isDeletion) else { return [.records(self)] }
        var parts: [BatchPart] = []
        var rest = self[...]
        while !rest.isEmpty {
            let records = rest.prefix { !$0.isDeletion }
            if !records.isEmpty { parts.append(.records(Array(records))) }
            rest = rest.dropFirst(records.count)
            let deleted = rest.prefix(while: \.isDeletion).compactMap(\.deletion)
            if !deleted.isEmpty { parts.append(.deletions(deleted)) }
            rest = rest.dropFirst(deleted.count)
        }
        return parts
    }
}

extension Record {
    fileprivate var deletion: DeletedRecord? {
        if case .deletion(let deleted) = self { deleted } else { nil }
    }

    fileprivate var isDeletion: Bool {
        if case .deletion = self { true } else { false }
    }
}

extension SQLiteStore {
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
