/// The result of saving a batch.
package struct SaveOutcome: Equatable, Sendable {
    /// The number of new records.
    package var stored = 0
    /// The number of records whose id was already stored; the stored record remains unchanged.
    package var alreadyStored = 0
    /// The number of records of which the store has this version or a later one.
    package var olderVersions = 0
    /// The number of records that are not stored again, because they were deleted.
    package var deleted = 0

    package init(
        stored: Int = 0, alreadyStored: Int = 0, olderVersions: Int = 0, deleted: Int = 0
    ) {
        self.stored = stored
        self.alreadyStored = alreadyStored
        self.olderVersions = olderVersions
        self.deleted = deleted
    }

    /// The number of records that are in the store now, at least in a later version.
    package var importedCount: Int { stored + alreadyStored + olderVersions }

    package mutating func add(_ other: SaveOutcome) {
        stored += other.stored
        alreadyStored += other.alreadyStored
        olderVersions += other.olderVersions
        deleted += other.deleted
    }
}
