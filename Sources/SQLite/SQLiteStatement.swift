import CSQLite

/// A prepared statement: bind its parameters, step through its rows, then reset it to run again.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite. A statement keeps its
/// connection open.
package final class SQLiteStatement {
    private let connection: SQLiteConnection
    private let handle: OpaquePointer
    private let sql: String

    init(_ sql: String, on connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        self.sql = sql
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw connection.error(code == SQLITE_OK ? SQLITE_MISUSE : code, operation: sql)
        }
        handle = prepared
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Parameters

    /// Binds an integer, or NULL.
    package func bind(integer value: Int64?, at index: Int32) throws(SQLiteError) {
        guard let value else { return try bindNull(at: index) }
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a floating-point number, or NULL.
    ///
    /// SQLite stores NaN as NULL.
    package func bind(real value: Double?, at index: Int32) throws(SQLiteError) {
        guard let value else { return try bindNull(at: index) }
        try check(sqlite3_bind_double(handle, index, value))
    }

    /// Binds a text, or NULL.
    package func bind(text value: String?, at index: Int32) throws(SQLiteError) {
        guard let value else { return try bindNull(at: index) }
        let length = try length(value.utf8.count)
        try check(value.withCString { csqlite_bind_text(handle, index, $0, length) })
    }

    /// Binds a blob; SQLite copies the bytes.
    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
        try check(bindBlob(bytes.baseAddress, try length(bytes.count), at: index))
    }

    /// Binds NULL.
    package func bindNull(at index: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_null(handle, index))
    }

    private func bindBlob(_ bytes: UnsafeRawPointer?, _ length: Int32, at index: Int32) -> Int32 {
        // A null pointer would bind NULL in place of an empty blob.
        guard length > 0, let bytes else { return sqlite3_bind_zeroblob(handle, index, 0) }
        return csqlite_bind_blob(handle, index, bytes, length)
    }

    private func length(_ count: Int) throws(SQLiteError) -> Int32 {
        guard let length = Int32(exactly: count) else {
            throw connection.error(SQLITE_TOOBIG, operation: sql)
        }
        return length
    }

    // MARK: Running

    /// Advances to the next row; false at the end.
    ///
    /// A statement that fails is reset.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let error = connection.error(code, operation: sql)
        reset()
        throw error
    }

    /// Runs the statement to the end, ignores its rows, and resets it.
    package func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }

    /// Runs the statement as ``run()`` does, without clearing its bindings.
    ///
    /// All parameters must be bound again before the next run.
    package func runRetainingBindings() throws(SQLiteError) {
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// Binds a blob without copying its bytes, and runs the statement as ``run()`` does.
    package func run(lending bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
        let length = try length(bytes.count)
        if length > 0, let start = bytes.baseAddress {
            // The bindings are cleared before this returns.
            try check(csqlite_lend_blob(handle, index, start, length))
        } else {
            try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        try run()
    }

    /// Calls the body for every row, then resets the statement, also when the body throws.
    package func forEachRow(_ body: (SQLiteStatement) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(self) }
    }

    /// Resets the statement and clears its bindings.
    package func reset() {
        // The result repeats the error that the last step has thrown.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        try connection.check(code, operation: sql)
    }

    // MARK: Columns of the current row

    /// Whether the column is NULL.
    package func isNull(at column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// An integer; NULL reads as 0.
    package func integer(at column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// A floating-point number; NULL reads as 0.
    package func real(at column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    /// A text; nil when the column is NULL.
    package func text(at column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Calls the body with the bytes of a blob, without copying them.
    ///
    /// They are valid only inside the body, and empty when the column is NULL.
    package func withBlob<Result>(
        at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
