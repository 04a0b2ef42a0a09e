/// The store cannot be read.
///
/// What SQLite itself reports is thrown as `SQLiteError`.
package enum HealthStoreError: Error, Equatable, CustomStringConvertible {
    /// There is no file, or nothing was ever stored in it.
    case noStore(path: String)
    /// The file system cannot share memory between processes, as many network ones.
    case noWriteAheadLog(path: String)
    /// A row holds something that this program does not understand.
    case unreadable(table: String, row: Int64, column: String, path: String)
    /// The person has another workout in progress.
    case otherSession(path: String)
    /// A custom type is declared so that what was stored under its name is not of it.
    case declaredDifferently(type: String, unit: String, path: String)

    package var description: String {
        switch self {
        case .noStore(let path):
            "no store at \(path); it is made with the first sample that a gateway keeps there"
        case .noWriteAheadLog(let path):
            "\(path): SQLite cannot keep a write-ahead log here; put the store on a local disk"
        case .unreadable(let table, let row, let column, let path):
            "\(path): \(column) of \(table) \(row) cannot be understood; "
                + "the file is damaged, or a newer program wrote it"
        case .otherSession(let path):
            "\(path): the person has another workout in progress; end that one first"
        case .declaredDifferently(let type, let unit, let path):
            "\(path): there are samples of \(type) in \(unit), which do not fit what is declared of it; "
                + "declare it as it was when they were measured"
        }
    }
}
