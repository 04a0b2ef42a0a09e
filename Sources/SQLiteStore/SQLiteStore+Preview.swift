import HealthModel
import SQLite
package import StoreQueries

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
