import HealthModel
import HealthStore

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
