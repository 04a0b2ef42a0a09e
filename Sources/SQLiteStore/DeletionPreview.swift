package import HealthModel
import SQLite

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

extension SQLiteStore {
    /// Returns what a deletion of some selections, none of which overlap, will delete.
    package func preview(of selections: [DeletionSelection]) throws -> DeletionPreview {
        var preview = DeletionPreview()
        for selection in selections {
            preview.add(
                DeletionPreview(selected: try groups(of: selection), together: []))
        }
        guard try connection.userVersion >= Schema.correlationVersion else { return preview }
        let cascade = DeletionCascade(connection, lookup)
        preview.add(
            DeletionPreview(selected: [], together: try cascade.groups(of: selections)))
        return preview
    }

    /// The names of the people who have records.
    package func peopleNames() throws -> [String] {
        let rows = try connection.prepare(
            "SELECT name FROM person WHERE name NOT GLOB ? ORDER BY name")
        // The name of a deleted person, see RecordDeleter.
        let deleted = "deleted " + String(repeating: "[0-9a-f]", count: 32)
        try rows.bind(text: deleted, at: 1)
        var names: [String] = []
        try rows.forEachRow { row in
            if let name = row.text(at: 0) { names.append(name) }
        }
        return names
    }
}

extension [DeletionGroup] {
    /// Adds the records of a group to those of the same kind, type and person.
    mutating func add(_ group: DeletionGroup) {
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
