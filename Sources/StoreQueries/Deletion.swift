package import HealthModel
package import HealthStore

/// A deletion in progress.
package struct Deletion: Sendable {
    package let selection: DeletionSelection
    package let at: Instant
    /// Whether the ids are noted, so that the records are not stored again.
    package let isNoted: Bool
    /// The kinds whose records are not deleted yet.
    package var kinds: ArraySlice<RecordKind>
    /// Where the next batch begins.
    package var position: SamplePosition?
    package var idIndex = 0
    /// The deleted records, with those that were deleted together with them.
    package var counts: [DeletionCount] = []
    /// Whether all records are deleted.
    package var isComplete: Bool { kinds.isEmpty }

    /// Starts a deletion.
    ///
    /// - Parameter at: The time that is noted.
    package init(_ selection: DeletionSelection, at: Instant, isNoted: Bool = true) {
        self.selection = selection
        self.at = at
        self.isNoted = isNoted
        kinds = selection.kinds[...]
    }

    package mutating func add(_ count: DeletionCount) {
        if let index = counts.firstIndex(where: { $0.kind == count.kind && $0.type == count.type })
        {
            counts[index].count += count.count
        } else {
            counts.append(count)
        }
    }
}
