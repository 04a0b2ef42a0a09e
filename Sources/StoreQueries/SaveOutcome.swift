package import HealthModel

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

    /// The correlations that are not stored, because the id of a sample is that of a stored one of another person
    /// or type.
    package var conflicts: [RecordID] = []

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
        conflicts += other.conflicts
    }

    /// Why correlations are not stored; nil when there are none.
    package var refusal: String? {
        guard let first = conflicts.first else { return nil }
        let names =
            conflicts.count == 1
            ? "the correlation \(first) has"
            : "\(conflicts.count) correlations, the first of which is \(first), have"
        return "\(names) a sample with the id of a stored sample of another person or type; "
            + "give the sample an id of its own"
    }
}
