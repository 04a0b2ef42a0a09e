import SQLite

/// Finds the rows of people by their names.
///
/// Unicode can write a letter in several ways, such as `ë` as one character or as `e` with a mark. Such
/// names are equal, but SQLite compares their bytes. The first spelling is stored for all of them.
final class PersonRows {
    private let find: SQLiteStatement
    private let all: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        find = try connection.prepare("SELECT id FROM person WHERE name = ?")
        all = try connection.prepare("SELECT id, name FROM person ORDER BY id")
    }

    /// The row of a person; nil when the person has no records.
    func row(of name: String) throws -> Int64? {
        if let row = try exactRow(of: name) { return row }
        // An ASCII name has one spelling.
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        defer { all.reset() }
        while try all.step() {
            if all.text(at: 1) == name { return all.integer(at: 0) }
        }
        return nil
    }

    private func exactRow(of name: String) throws -> Int64? {
        defer { find.reset() }
        try find.bind(text: name, at: 1)
        return try find.step() ? find.integer(at: 0) : nil
    }
}
