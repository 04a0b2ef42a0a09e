package import HealthModel

/// What a deletion will delete.
package struct DeletionPreview: Hashable, Sendable {
    /// The selected records.
    package private(set) var selected: [DeletionGroup] = []
    /// The records that are deleted together with them: the correlations of samples, and the members of
    /// correlations.
    package private(set) var together: [DeletionGroup] = []

    /// Creates a preview without records.
    package init() {}

    package init(selected: [DeletionGroup], together: [DeletionGroup]) {
        self.selected = selected
        self.together = together
    }

    /// The number of records.
    package var count: Int { (selected + together).reduce(0) { $0 + $1.count } }

    /// The end of the last selected record; nil when there is none.
    package var end: Instant? { selected.map(\.end).max() }

    /// Adds the preview of other records.
    package mutating func add(_ other: DeletionPreview) {
        for group in other.selected { selected.add(group) }
        for group in other.together { together.add(group) }
    }
}

extension [DeletionGroup] {
    /// Adds the records of a group to those of the same kind, type and person.
    package mutating func add(_ group: DeletionGroup) {
        guard
            let index = firstIndex(where: {
                $0.kind == group.kind && $0.type == group.type && $0.person == group.person
            })
        else { return append(group) }
        self[index].count += group.count
        self[index].start = Swift.min(self[index].start, group.start)
        self[index].end = Swift.max(self[index].end, group.end)
    }
}
