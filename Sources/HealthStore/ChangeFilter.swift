package import HealthModel

/// What a reader of changes may see.
package struct ChangeFilter: Sendable {
    /// Whether it may see a record.
    package let record: @Sendable (Record) -> Bool
    /// Whether it may see a deletion.
    package let deletion: @Sendable (DeletedRecord) -> Bool

    /// Makes a filter.
    package init(
        record: @escaping @Sendable (Record) -> Bool,
        deletion: @escaping @Sendable (DeletedRecord) -> Bool
    ) {
        self.record = record
        self.deletion = deletion
    }
}

/// The changes that a reader may see.
package struct FilteredChanges: Sendable {
    /// The changes; their anchor and whether there are more count those that are left out too.
    package let changes: StoreChanges
    /// The anchor after the last change that the reader may see, or that of the call.
    ///
    /// It has nothing of the others but the number of their transactions before that change.
    package let shown: StoreAnchor

    /// Makes a value from its parts.
    package init(changes: StoreChanges, shown: StoreAnchor) {
        (self.changes, self.shown) = (changes, shown)
    }
}
