/// An error of the store.
///
/// Errors of SQLite itself are thrown as `SQLiteError`.
package enum SQLiteStoreError: Error, Equatable, CustomStringConvertible {
    /// The file is missing or has no tables.
    case noStore(path: String)
    /// The file system does not support a write-ahead log, as many network file systems.
    case noWriteAheadLog(path: String)
    /// A row contains an invalid value.
    case unreadable(table: String, row: Int64, column: String, path: String)
    /// The person has another workout in progress.
    case sessionConflict(path: String)
    /// The stored samples of a custom type do not match its declaration.
    case incompatibleDeclaration(type: String, unit: String, path: String)
    /// A sum or an average of stored samples is too large for a number.
    case incalculable(type: String, path: String)
    /// The person of a record that an import stores is deleted, or was deleted since the import began.
    case deletedPerson(name: String, path: String)
    /// The file has no log of changes, because it is of an earlier version.
    case noHistory(path: String)

    package var description: String {
        switch self {
        case .noStore(let path):
            "no store at \(path); run a gateway with a `sqlite` sink to create it"
        case .noWriteAheadLog(let path):
            "\(path): the file system does not support a write-ahead log; "
                + "move the store to a local disk"
        case .unreadable(let table, let row, let column, let path):
            "\(path): invalid \(column) in row \(row) of table \(table); "
                + "restore a backup, or use the version that wrote the file"
        case .sessionConflict(let path):
            "\(path): the person has another workout in progress; end it first"
        case .incompatibleDeclaration(let type, let unit, let path):
            "\(path): stored samples of \(type) in \(unit) do not match its declaration; "
                + "restore the previous declaration of the type"
        case .incalculable(let type, let path):
            "\(path): the values of \(type) are too large to be added; use a shorter span of time"
        case .deletedPerson(let name, _):
            "\(name) was deleted meanwhile, or the deletion of \(name) is not complete; the import has "
                + "ended; `pulsegate delete person \(name)` completes a deletion"
        case .noHistory(let path):
            "\(path): the store is of an earlier version, which notes no changes; start the gateway once"
        }
    }
}
