import CSQLite
import Glibc

/// An SQLite file used directly through the C library.
///
/// It does not use the gateway's wrapper, so the comparison shows the overhead of the wrapper.
final class BareDatabase {
    private let handle: OpaquePointer

    init(path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw BenchmarkError("cannot open \(path)")
        }
        handle = opened
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ script: String) throws {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// Prepares a statement.
    func prepare(_ sql: String) throws -> BareStatement {
        var statement: OpaquePointer?
        guard
            sqlite3_prepare_v3(
                handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure }
        return BareStatement(handle: statement)
    }

    /// Runs a statement whose parameters are bound.
    func run(_ statement: borrowing BareStatement) throws {
        guard sqlite3_step(statement.handle) == SQLITE_DONE else { throw failure }
        sqlite3_reset(statement.handle)
    }

    /// Returns the first column of a query's first row.
    func number(_ sql: String) throws -> Int64 {
        let statement = try prepare(sql)
        guard sqlite3_step(statement.handle) == SQLITE_ROW else { throw failure }
        return sqlite3_column_int64(statement.handle, 0)
    }

    private var failure: BenchmarkError { BenchmarkError(String(cString: sqlite3_errmsg(handle))) }
}

/// A prepared statement; it is finalized with the value.
struct BareStatement: ~Copyable {
    let handle: OpaquePointer

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
        csqlite_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
}
