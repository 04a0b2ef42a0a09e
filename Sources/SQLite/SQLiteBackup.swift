import CSQLite

/// A copy of a database to another file, step by step (sqlite3_backup_init and its like).
///
/// While the source has a transaction open, every step copies the state that this transaction sees: another
/// connection may commit between two steps, and the copy does not start again.
package struct SQLiteBackup: ~Copyable {
    private let source: SQLiteConnection
    private let target: SQLiteConnection
    private let handle: OpaquePointer

    /// Begins a copy, which replaces all that the target has.
    ///
    /// The target must not be used until the copy has ended.
    package init(of source: SQLiteConnection, to target: SQLiteConnection) throws(SQLiteError) {
        guard let handle = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.error(sqlite3_errcode(target.handle), operation: "backup")
        }
        self.source = source
        self.target = target
        self.handle = handle
    }

    deinit {
        sqlite3_backup_finish(handle)
    }

    /// The number of pages to copy; 0 before the first step.
    package var pageCount: Int { Int(sqlite3_backup_pagecount(handle)) }

    /// The number of pages that are left.
    package var remainingPageCount: Int { Int(sqlite3_backup_remaining(handle)) }

    /// Copies pages; returns whether there are more.
    package func step(pages: Int) throws(SQLiteError) -> Bool {
        switch sqlite3_backup_step(handle, Int32(clamping: pages)) {
        case SQLITE_OK: return true
        case SQLITE_DONE: return false
        case let code: throw target.error(code, operation: "backup")
        }
    }
}
