import CSQLite
import Glibc

/// A connection to one SQLite file.
///
/// It is opened without SQLite's mutexes and is not `Sendable`: one actor owns it together with
/// its statements, and the compiler keeps it there. The file is closed when the connection and its
/// last statement are released. This is the only file that sees libsqlite3.
package final class SQLiteConnection {
    /// What the connection may do with the file.
    package enum Access: Sendable {
        /// Reads only. The file must exist.
        case readOnly
        /// Reads a file that nobody is changing, from where nothing can be written.
        case immutable
        /// Reads and writes. A missing file is created, readable by its owner only.
        case readWrite
    }

    /// How long a statement waits for a lock that another connection holds.
    package static let defaultBusyTimeoutMilliseconds: Int32 = 5_000

    package let path: String
    fileprivate let handle: OpaquePointer

    /// Opens the file; whether it is a database shows when it is first read.
    package init(
        path: String, access: Access,
        busyTimeoutMilliseconds: Int32 = SQLiteConnection.defaultBusyTimeoutMilliseconds
    ) throws(SQLiteError) {
        self.path = path
        if access == .readWrite {
            try SQLiteConnection.createPrivateFile(path)
        }
        handle = try SQLiteConnection.open(path, access: access)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
        // SQLite falls back to reading without a word when it may not write.
        if access == .readWrite, sqlite3_db_readonly(handle, "main") == 1 {
            throw SQLiteError(
                reason: .readOnly, extendedCode: SQLITE_READONLY, operation: "open",
                message: "the file may not be written", path: path)
        }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Prepares one SQL statement, to be kept and run often.
    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, on: self)
    }

    /// Runs the statements of a script, which return nothing.
    package func execute(_ script: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, script, nil, nil, nil), operation: script)
    }

    /// The rows that the last INSERT, UPDATE or DELETE changed; 0 when a conflict was ignored.
    package var changes: Int {
        Int(sqlite3_changes(handle))
    }

    /// The row id of the last row that this connection inserted.
    package var lastInsertedRow: Int64 {
        sqlite3_last_insert_rowid(handle)
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        sqlite3_get_autocommit(handle) == 0
    }

    fileprivate func check(_ code: Int32, operation: String) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw error(code, operation: operation) }
    }

    fileprivate func error(_ code: Int32, operation: String) -> SQLiteError {
        SQLiteError(code, operation: operation, handle: handle, path: path)
    }

    /// Creates a missing file with mode 0600.
    ///
    /// SQLite gives its -wal and -shm the same mode.
    /// An existing file is not opened here: closing it again would drop the locks that other
    /// connections of this process hold on it (POSIX locks belong to process and file).
    private static func createPrivateFile(_ path: String) throws(SQLiteError) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let code = errno
        if descriptor >= 0 {
            close(descriptor)
        } else if code != EEXIST {
            throw SQLiteError(
                reason: .cannotOpen, extendedCode: SQLITE_CANTOPEN, operation: "create",
                message: String(cString: strerror(code)), path: path)
        }
    }

    private static func open(
        _ path: String, access: Access
    ) throws(SQLiteError) -> OpaquePointer {
        // With "./" before it no relative path is one of SQLite's special names (":memory:", "").
        var name = path.hasPrefix("/") ? path : "./" + path
        var flags = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        if access == .immutable {
            name = "file:\(name.percentEncoded)?immutable=1"
            flags |= SQLITE_OPEN_URI
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw SQLiteError(code, operation: "open", handle: opened, path: path)
        }
        return opened
    }
}

/// A prepared statement: bind its parameters, step through its rows, reset it, and again.
///
/// Parameters are counted from 1, columns from 0, as in SQLite. It keeps its connection open.
package final class SQLiteStatement {
    private let connection: SQLiteConnection
    private let handle: OpaquePointer
    private let sql: String

    fileprivate init(_ sql: String, on connection: SQLiteConnection) throws(SQLiteError) {
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

    /// Binds the bytes of a blob, or NULL; SQLite copies them.
    package func bind(blob value: [UInt8]?, at index: Int32) throws(SQLiteError) {
        guard let value else { return try bindNull(at: index) }
        let length = try length(value.count)
        try check(value.withUnsafeBytes { bindBlob($0.baseAddress, length, at: index) })
    }

    /// Binds the bytes of a blob that lie in the caller's memory; SQLite copies them.
    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
        try check(bindBlob(bytes.baseAddress, try length(bytes.count), at: index))
    }

    /// Binds NULL.
    package func bindNull(at index: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_null(handle, index))
    }

    private func bindBlob(_ bytes: UnsafeRawPointer?, _ length: Int32, at index: Int32) -> Int32 {
        // Without an address an empty blob would become NULL.
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

    /// Goes to the next row; false at the end.
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

    /// Runs a statement whose rows do not matter, then resets it.
    package func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }

    /// Calls the body at every row, then resets the statement, also when the body throws.
    package func forEachRow(_ body: (SQLiteStatement) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(self) }
    }

    /// Makes the statement ready to run again and forgets its parameters.
    package func reset() {
        // The result repeats the error of the last step, which was thrown there.
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

    /// A copy of a blob's bytes; empty when the column is NULL.
    package func blob(at column: Int32) -> [UInt8] {
        withBlob(at: column) { [UInt8]($0) }
    }

    /// Lends SQLite's own bytes of a blob, without a copy.
    ///
    /// They must not leave the body.
    package func withBlob<Result>(
        at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

extension String {
    /// The path as a URI has it: everything but letters, digits and slashes as its bytes.
    fileprivate var percentEncoded: String {
        utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain || scalar == "/" ? String(scalar) : "%\(byte < 16 ? "0" : "")\(digits)"
        }.joined()
    }
}

extension SQLiteError {
    /// The error of a call on the handle, which is nil when SQLite had no memory for one.
    fileprivate init(_ code: Int32, operation: String, handle: OpaquePointer?, path: String) {
        var message = sqlite3_errstr(code).map { String(cString: $0) } ?? ""
        var reason = Reason(code: code)
        if let handle, sqlite3_errcode(handle) & 0xff == code & 0xff {
            message = String(cString: sqlite3_errmsg(handle))
            let systemError = sqlite3_system_errno(handle)
            if reason == .cannotOpen || reason == .inputOutput, systemError != 0 {
                message += " (\(String(cString: strerror(systemError))))"
            }
            if reason == .cannotOpen, systemError == ENOENT { reason = .missing }
        }
        self.init(
            reason: reason, extendedCode: code, operation: operation, message: message, path: path)
    }
}

extension SQLiteError.Reason {
    /// Sorts by the low byte of a result code; the rest of an extended code is detail.
    fileprivate init(code: Int32) {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_FULL: self = .full
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_CORRUPT: self = .corrupt
        case SQLITE_NOTADB: self = .notADatabase
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_IOERR: self = .inputOutput
        default: self = .other
        }
    }
}
