import CSQLite
import Glibc

/// A connection to one SQLite file.
///
/// It is opened without SQLite's mutexes and is not `Sendable`: one actor owns it together with
/// its statements, which the compiler enforces. The file is closed when the connection and its last
/// statement are released. Only this type and ``SQLiteStatement`` call libsqlite3.
package final class SQLiteConnection {
    /// The access mode of a connection.
    package enum Access: Sendable {
        /// Read-only access to an existing file.
        case readOnly
        /// Read-only access without locks, for a file that no process changes (`immutable=1`).
        case immutable
        /// Read and write access. A missing file is created with mode 0600.
        case readWrite
    }

    /// The default time that a statement waits for a lock of another connection.
    package static let defaultBusyTimeoutMilliseconds: Int32 = 5_000

    package let path: String
    package let access: Access
    let handle: OpaquePointer

    /// Opens the file; an invalid database is detected at the first read.
    package init(
        path: String, access: Access,
        busyTimeoutMilliseconds: Int32 = SQLiteConnection.defaultBusyTimeoutMilliseconds
    ) throws(SQLiteError) {
        self.path = path
        self.access = access
        try SQLiteConnection.checkKind(of: path)
        if access == .readWrite {
            try SQLiteConnection.createPrivateFile(path)
        }
        handle = try SQLiteConnection.open(path, access: access)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
        // SQLite silently falls back to read-only access when it may not write.
        if access == .readWrite, sqlite3_db_readonly(handle, "main") == 1 {
            throw SQLiteError(
                reason: .readOnly, extendedCode: SQLITE_READONLY, operation: "open",
                message: "no permission to write the file", path: path)
        }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Prepares one SQL statement for repeated use.
    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, on: self)
    }

    /// Runs a script of SQL statements and ignores the rows that they return.
    package func execute(_ script: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, script, nil, nil, nil), operation: script)
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed; 0 after an ignored
    /// conflict.
    package var changes: Int {
        Int(sqlite3_changes(handle))
    }

    /// The row id of the last row that this connection inserted.
    package var lastInsertedRow: Int64 {
        sqlite3_last_insert_rowid(handle)
    }

    /// Sets the time that a statement waits for a lock.
    package func setBusyTimeout(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// The path of the write-ahead log, with symbolic links resolved.
    package var logPath: String {
        // Both strings belong to the connection; only an in-memory database has no name.
        guard let name = sqlite3_db_filename(handle, "main"), let log = sqlite3_filename_wal(name)
        else { return "\(path)-wal" }
        return String(cString: log)
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        sqlite3_get_autocommit(handle) == 0
    }

    func check(_ code: Int32, operation: String) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw error(code, operation: operation) }
    }

    func error(_ code: Int32, operation: String) -> SQLiteError {
        SQLiteError(code, operation: operation, handle: handle, path: path)
    }

    /// Refuses a pipe, device, socket or folder, which SQLite would read, create files beside, or
    /// wait for; a rollback journal beside the file is opened, too.
    private static func checkKind(of path: String) throws(SQLiteError) {
        try checkKind(ofFile: path)
        try checkKind(ofFile: "\(path)-journal")
    }

    private static func checkKind(ofFile path: String) throws(SQLiteError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw SQLiteError(
            reason: .foreignFile, operation: "open", message: "is not a regular file", path: path)
    }

    /// Creates a missing file with mode 0600.
    ///
    /// SQLite creates its -wal and -shm files with the same mode. An existing file is not opened
    /// here: closing it would release the locks that other connections of this process hold on it
    /// (POSIX locks belong to a process and a file).
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
        // The prefix "./" keeps a relative path from being a special name (":memory:", "").
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

extension String {
    /// The path percent-encoded for a URI: everything but letters, digits and slashes.
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
    /// Creates the error of a call on the handle, which is nil when SQLite ran out of memory.
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
            // The shared-memory file (-shm) and a file that cannot be created report a full disk in this way.
            if reason == .inputOutput || reason == .cannotOpen,
                systemError == ENOSPC || systemError == EDQUOT
            {
                reason = .full
            }
        }
        self.init(
            reason: reason, extendedCode: code, operation: operation, message: message, path: path)
    }
}

extension SQLiteError.Reason {
    /// Maps a result code by its low byte; the rest of an extended code is detail.
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
