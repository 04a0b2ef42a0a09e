import Foundation
import GatewayTesting
import SQLite
import XCTest

/// A test case with a temporary folder.
class DatabaseTestCase: XCTestCase {
    private var temporary: TemporaryFolder?

    override func setUpWithError() throws {
        temporary = try TemporaryFolder()
    }

    override func tearDownWithError() throws {
        temporary = nil
    }

    var folder: String { temporary?.path ?? "" }

    var path: String { folder + "/test.sqlite" }

    func connect(busyTimeoutMilliseconds: Int32 = 0) throws -> SQLiteConnection {
        try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    }

    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    func integer(_ sql: String, on connection: SQLiteConnection) throws -> Int64 {
        let statement = try connection.prepare(sql)
        XCTAssertTrue(try statement.step())
        return statement.integer(at: 0)
    }

    /// Returns the SQLiteError that the body throws; fails the test otherwise.
    func sqliteError(
        line: UInt = #line, _ body: () throws -> Void
    ) throws -> SQLiteError {
        var caught: SQLiteError?
        XCTAssertThrowsError(try body(), line: line) { caught = $0 as? SQLiteError }
        return try XCTUnwrap(caught, line: line)
    }
}
