import Glibc
import SQLite

/// Finds damage of a store that is open: SQLite reads a page again only when it has no copy of it.
struct StoreWatch {
    private let path: String
    /// The size of the file at the last look, in bytes.
    private var size: Int64 = 0
    /// The row after which the next ones are read.
    private var position: Int64 = 0

    /// Watches the file at a path.
    init(path: String) { self.path = path }

    /// Checks that the file was not cut.
    ///
    /// A file shrinks when another program vacuums it; then it is whole.
    ///
    /// - Throws: `SQLiteError` with the reason `corrupt`.
    mutating func checkSize() throws {
        var status = stat()
        // What is not there was moved, which is found elsewhere.
        guard stat(path, &status) == 0 else { return }
        let found = Int64(status.st_size)
        if found < size {
            do { try StoreCheck(path: path).run() } catch let error as SQLiteError
                where error.isCorruption
            {
                throw SQLiteError(
                    reason: .corrupt, operation: "check",
                    message: "the file was cut from \(size) to \(found) bytes while in use: "
                        + error.message,
                    path: path)
            }
        }
        size = found
    }

    /// Reads the next samples from the file, all of their columns; after the last one the first.
    ///
    /// A connection of its own has no copies of pages, and leaves the log to the other one.
    ///
    /// - Throws: `SQLiteError` when the file is corrupt.
    mutating func readNext(_ count: Int64) throws {
        let reader = try HealthStore.reader(path, access: .readOnly)
        try reader.pragma("cell_size_check", to: "ON")
        let rows = try reader.prepare("SELECT * FROM sample WHERE sequence > ?1 LIMIT ?2")
        try rows.bind(integer: position, at: 1)
        try rows.bind(integer: count, at: 2)
        var found: Int64 = 0
        var last = position
        while try rows.step() {
            found += 1
            last = rows.integer(at: 0)
        }
        position = found < count ? 0 : last
    }
}

extension HealthStore {
    /// Checks that the file was not cut while it is open.
    ///
    /// - Throws: `SQLiteError` with the reason `corrupt` when it was.
    package func checkSize() throws { try watch.checkSize() }

    /// Reads a number of samples again from the file, to find damage: with every call the next ones.
    ///
    /// - Throws: `SQLiteError` when the file is corrupt.
    package func readAgain(samples count: Int64) throws { try watch.readNext(count) }
}
