import Foundation
import Glibc
import SQLite
import XCTest

final class SQLiteConnectionTests: DatabaseTestCase {
    private let secret = "never shown"

    func testOpen_ofANewFile_isPrivateWithItsSideFiles() throws {
        let connection = try connect()
        try connection.pragma("journal_mode", to: "WAL")
        try connection.execute("CREATE TABLE t (n)")
        for suffix in ["", "-wal", "-shm"] {
            var status = stat()
            XCTAssertEqual(stat(path + suffix, &status), 0, suffix)
            XCTAssertEqual(status.st_mode & 0o777, 0o600, suffix)
        }
    }

    func testOpen_ofASecondConnection_keepsTheLocksOfTheFirst() throws {
        let first = try connect()
        try first.execute("CREATE TABLE t (n)")
        try first.transaction {
            let second = try connect()
            XCTAssertEqual(
                try sqliteError { try second.execute("INSERT INTO t VALUES (1)") }.reason, .busy)
        }
    }

    func testOpen_forReading_whenMissing_reportsItAndCreatesNothing() throws {
        let error = try sqliteError { _ = try SQLiteConnection(path: path, access: .readOnly) }
        XCTAssertEqual(error.reason, .missing)
        XCTAssertTrue(error.description.contains(path), error.description)
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    func testOpen_inAMissingFolder_throws() throws {
        let lost = folder + "/missing/test.sqlite"
        let error = try sqliteError { _ = try SQLiteConnection(path: lost, access: .readWrite) }
        XCTAssertEqual(error.reason, .cannotOpen)
        XCTAssertTrue(error.description.contains(lost), error.description)
    }

    func testOpen_ofWhatIsNoFile_throws() throws {
        let (pipe, socket) = (folder + "/pipe", folder + "/socket")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        XCTAssertEqual(mknod(socket, S_IFSOCK | 0o600, 0), 0)
        for path in [folder, pipe, socket, "/dev/null", "/dev/zero"] {
            for access in [SQLiteConnection.Access.readWrite, .readOnly, .immutable] {
                let error = try sqliteError {
                    _ = try SQLiteConnection(path: path, access: access)
                }
                XCTAssertEqual(
                    error.description,
                    "\(path): open: is not a regular file; choose another path or move the file "
                        + "away")
            }
        }
    }

    func testOpen_ofAnotherKindOfFile_isNoticedByTheFirstRead() throws {
        try write(Array(repeating: UInt8(ascii: "x"), count: 4_096))
        let connection = try connect()
        XCTAssertEqual(try sqliteError { _ = try connection.userVersion }.reason, .notADatabase)
    }

    func testReadOnly_refusesToWrite() throws {
        try connect().execute("CREATE TABLE t (n)")
        let reader = try SQLiteConnection(path: path, access: .readOnly)
        let error = try sqliteError { try reader.execute("INSERT INTO t VALUES (1)") }
        XCTAssertEqual(error.reason, .readOnly)
        XCTAssertEqual(error.code, 8)
    }

    func testReadOnly_whileAWriterIsInATransaction_readsTheCommittedState() throws {
        let writer = try connect()
        try writer.pragma("journal_mode", to: "WAL")
        try writer.execute("CREATE TABLE t (n); INSERT INTO t VALUES (1)")
        let reader = try SQLiteConnection(
            path: path, access: .readOnly, busyTimeoutMilliseconds: 0)
        try writer.transaction {
            try writer.execute("INSERT INTO t VALUES (2)")
            XCTAssertEqual(try integer("SELECT count(*) FROM t", on: reader), 1)
        }
        XCTAssertEqual(try integer("SELECT count(*) FROM t", on: reader), 2)
    }

    func testTransaction_commitsAndReturnsTheResult() throws {
        let connection = try connect()
        let result = try connection.transaction {
            try connection.execute("CREATE TABLE t (n); INSERT INTO t VALUES (1)")
            return connection.isInTransaction
        }
        XCTAssertTrue(result)
        XCTAssertFalse(connection.isInTransaction)
        XCTAssertEqual(try integer("SELECT count(*) FROM t", on: connection), 1)
    }

    func testTransaction_whenTheBodyThrows_rollsBack() throws {
        let connection = try connect()
        try connection.execute("CREATE TABLE t (n INTEGER UNIQUE)")
        let error = try sqliteError {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        XCTAssertEqual(error.reason, .constraint)
        XCTAssertEqual(error.message, "UNIQUE constraint failed: t.n")
        XCTAssertFalse(connection.isInTransaction)
        XCTAssertEqual(try integer("SELECT count(*) FROM t", on: connection), 0)
    }

    func testTransaction_whenTheCommitFails_rollsBack() throws {
        let connection = try connect()
        try connection.pragma("foreign_keys", to: "ON")
        try connection.execute(
            """
            CREATE TABLE a (n INTEGER PRIMARY KEY);
            CREATE TABLE b (n REFERENCES a DEFERRABLE INITIALLY DEFERRED);
            """)
        let error = try sqliteError {
            try connection.transaction { try connection.execute("INSERT INTO b VALUES (7)") }
        }
        XCTAssertEqual(error.reason, .constraint)
        XCTAssertEqual(error.operation, "COMMIT")
        XCTAssertFalse(connection.isInTransaction)
        XCTAssertEqual(try integer("SELECT count(*) FROM b", on: connection), 0)
    }

    func testTransaction_insideAnother_throwsAndTheOuterContinues() throws {
        let connection = try connect()
        try connection.transaction {
            try connection.execute("CREATE TABLE t (n)")
            XCTAssertThrowsError(try connection.transaction {})
            XCTAssertTrue(connection.isInTransaction)
        }
        XCTAssertEqual(try integer("SELECT count(*) FROM t", on: connection), 0)
    }

    func testTransaction_whileAnotherHoldsTheLock_isBusyAndChangesNothing() throws {
        let first = try connect()
        let second = try connect()
        try first.execute("CREATE TABLE t (n)")
        try first.transaction {
            let error = try sqliteError {
                try second.transaction { XCTFail("the body must not run") }
            }
            XCTAssertEqual(error.reason, .busy)
            XCTAssertTrue(error.description.contains("other program"), error.description)
        }
        try second.transaction { try second.execute("INSERT INTO t VALUES (1)") }
        XCTAssertEqual(try integer("SELECT count(*) FROM t", on: first), 1)
    }

    func testTransaction_whenTheFileIsFull_rollsBackAndTheConnectionContinues() throws {
        let connection = try connect()
        try connection.execute("CREATE TABLE t (n)")
        try connection.pragma("max_page_count", to: "4")
        let error = try sqliteError {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
            }
        }
        XCTAssertEqual(error.reason, .full)
        XCTAssertTrue(error.description.contains("free space"), error.description)
        XCTAssertFalse(connection.isInTransaction)
        XCTAssertEqual(try integer("SELECT count(*) FROM t", on: connection), 0)
        try connection.transaction { try connection.execute("INSERT INTO t VALUES (1)") }
        XCTAssertEqual(try integer("SELECT count(*) FROM t", on: connection), 1)
    }

    func testError_namesFileAndStatementButNoBoundValue() throws {
        let connection = try connect()
        try connection.execute("CREATE TABLE t (name TEXT CHECK (length(name) < 3))")
        let insert = try connection.prepare("INSERT INTO t\n    VALUES (?)")
        try insert.bind(text: secret, at: 1)
        let error = try sqliteError { try insert.run() }
        XCTAssertEqual(error.operation, "INSERT INTO t VALUES (?)")
        XCTAssertEqual(error.code, 19)
        XCTAssertEqual(error.extendedCode, 275)
        XCTAssertTrue(error.description.contains(path), error.description)
        XCTAssertFalse(error.description.contains(secret), error.description)
    }

    func testError_ofACorruptFile_namesARemedy() throws {
        try connect().execute("CREATE TABLE t (n)")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes.replaceSubrange(
            100..<bytes.count, with: repeatElement(0xff, count: bytes.count - 100))
        try write(bytes)
        let error = try sqliteError { _ = try integer("SELECT count(*) FROM t", on: connect()) }
        XCTAssertEqual(error.reason, .corrupt)
        XCTAssertTrue(error.description.contains(".recover"), error.description)
    }
}
