import HealthModel
import SQLite

/// The people whose records an import stores, so that it ends when one of them is deleted meanwhile.
///
/// The deletion marks the row of the person before it removes a record, and takes the name away at its
/// end. Both are seen in the transaction that would store the next records.
final class ImportedPeople {
    private let find: SQLiteStatement
    private var rows: [String: Int64] = [:]

    init(_ connection: SQLiteConnection) throws {
        find = try connection.prepare(
            """
            SELECT name, EXISTS (SELECT 1 FROM deleting WHERE person = person.id)
            FROM person WHERE id = ?
            """)
    }

    /// Checks the people of records before these are stored.
    ///
    /// - Parameter row: Finds or makes the row of a person.
    /// - Throws: `SQLiteStoreError.deletedPerson`.
    func check(_ records: [Record], row: (String) throws -> Int64, path: String) throws {
        for name in Set(records.compactMap(\.person)) {
            let known = try rows[name] ?? row(name)
            guard try isPresent(known, name) else {
                throw SQLiteStoreError.deletedPerson(name: name, path: path)
            }
            rows[name] = known
        }
    }

    /// Clears the bindings of a transaction that failed.
    func reset() { find.reset() }

    private func isPresent(_ row: Int64, _ name: String) throws -> Bool {
        defer { find.reset() }
        try find.bind(integer: row, at: 1)
        guard try find.step() else { return false }
        return find.text(at: 0) == name && find.integer(at: 1) == 0
    }
}
