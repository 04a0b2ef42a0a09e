import GatewayHost
import Glibc
import SQLite
import SQLiteStore

/// A copy of a store as it was at one moment, in a file that is removed at the end.
///
/// The store can be written meanwhile: the copy reads in one transaction, which has a snapshot of the database
/// through the write-ahead log. No checkpoint can reset the log until the copy is complete.
final class StoreCopy {
    /// The number of pages of a step: 1 MiB with SQLite's usual page size.
    private static let stepPages = 256
    /// The tables of records, by the words for them.
    private static let tables = [
        "samples": "sample", "categories": "category", "correlations": "correlation",
        "workouts": "workout", "events": "event", "deletions": "deletion",
        "sessions": "session",
    ]

    /// The path of the file.
    let path: String
    private(set) var schema: Int64 = 0
    private(set) var records: [String: Int64] = [:]

    /// Copies a store.
    ///
    /// - Parameters:
    ///   - path: The path of the copy, which does not exist.
    ///   - report: Gets the share that is copied, and all of it, in bytes.
    init(
        of store: String, at path: String, report: (Int64, Int64) throws(HostError) -> Void
    ) throws(HostError) {
        self.path = path
        do {
            try copy(store, report)
            try markAsSingleFile()
            try StoreCheck(path: path).run()
            try count()
        } catch let error as HostError {
            throw error
        } catch let error as SQLiteError where error.isCorruption {
            throw HostError(
                .failure, "\(error); a backup of a damaged store is not written")
        } catch {
            throw HostError(error)
        }
    }

    // It also runs when the initializer fails.
    deinit { removeNames() }

    /// Unlinks the file; an open descriptor can still read it.
    func removeNames() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    private func copy(
        _ store: String, _ report: (Int64, Int64) throws(HostError) -> Void
    ) throws {
        // It opens a store of this program only, and says what is wrong with others.
        _ = try SQLiteStore(readingFrom: store)
        let source = try Self.reader(of: store)
        let target = try SQLiteConnection(path: path, access: .readWrite)
        // A crash leaves a file that nobody uses.
        try target.pragma("journal_mode", to: "OFF")
        try target.pragma("synchronous", to: "OFF")
        try target.pragma("locking_mode", to: "EXCLUSIVE")
        let pageSize = Int64(try source.pragma("page_size") ?? "") ?? 0
        try source.readTransaction {
            // A transaction begins with its first statement that reads.
            _ = try source.userVersion
            let backup = try SQLiteBackup(of: source, to: target)
            while try backup.step(pages: Self.stepPages) {
                let (count, left) = (backup.pageCount, backup.remainingPageCount)
                try report(Int64(count - left) * pageSize, Int64(count) * pageSize)
            }
        }
    }

    /// Marks the copy as a file without a write-ahead log, so that a reader without permission to write can
    /// open it: the versions of the format in its header (sqlite.org/fileformat.html, §1.3.3).
    ///
    /// The gateway that opens the restored store marks it again.
    private func markAsSingleFile() throws(HostError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("write", path, errno: errno) }
        defer { close(descriptor) }
        let versions: [UInt8] = [1, 1]
        guard pwrite(descriptor, versions, versions.count, 18) == versions.count else {
            throw .system("write", path, errno: errno)
        }
    }

    /// Opens a store for reading, also in a folder in which SQLite cannot write.
    private static func reader(of store: String) throws(SQLiteError) -> SQLiteConnection {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: store, access: .readOnly)
            _ = try connection.userVersion
            return connection
        } catch {
            // Opened as a store before, so no write-ahead log is left that this would not read.
            guard [.missing, .cannotOpen, .readOnly].contains(error.reason) else { throw error }
            return try SQLiteConnection(path: store, access: .immutable)
        }
    }

    private func count() throws {
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        schema = Int64(try connection.userVersion)
        for (word, table) in Self.tables where try Self.has(table, connection) {
            records[word] = try Self.number("SELECT count(*) FROM \(table)", connection)
        }
        // Counted already, in a store of a version since 5.
        if try Self.has("tally", connection) {
            records["samples"] = try Self.number("SELECT stored - removed FROM tally", connection)
        }
    }

    private static func has(_ table: String, _ connection: SQLiteConnection) throws -> Bool {
        try number(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '\(table)'",
            connection) > 0
    }

    private static func number(_ sql: String, _ connection: SQLiteConnection) throws -> Int64 {
        let statement = try connection.prepare(sql)
        return try statement.step() ? statement.integer(at: 0) : 0
    }
}
