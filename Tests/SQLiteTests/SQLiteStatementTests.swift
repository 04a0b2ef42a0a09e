import SQLite
import XCTest

final class SQLiteStatementTests: DatabaseTestCase {
    private func echo(_ bind: (SQLiteStatement) throws -> Void) throws -> SQLiteStatement {
        let statement = try connect().prepare("SELECT ?1, typeof(?1)")
        try bind(statement)
        XCTAssertTrue(try statement.step())
        return statement
    }

    func testBind_ofAnInteger_readsTheSame() throws {
        for value in [Int64.min, -1, 0, 1, .max] {
            let row = try echo { try $0.bind(integer: value, at: 1) }
            XCTAssertEqual(row.integer(at: 0), value)
            XCTAssertEqual(row.text(at: 1), "integer")
        }
    }

    func testBind_ofARealNumber_readsTheSame() throws {
        for value in [-0.1, 0, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity] {
            let row = try echo { try $0.bind(real: value, at: 1) }
            XCTAssertEqual(row.real(at: 0), value)
            XCTAssertEqual(row.text(at: 1), "real")
        }
    }

    func testBind_ofNotANumber_isNull() throws {
        XCTAssertTrue(try echo { try $0.bind(real: .nan, at: 1) }.isNull(at: 0))
    }

    func testBind_ofText_readsTheSame() throws {
        for value in [
            "", "a", "zero\0inside", "Herzfrequenz ♥ 心拍", String(repeating: "x", count: 99_999),
        ] {
            let row = try echo { try $0.bind(text: value, at: 1) }
            XCTAssertEqual(row.text(at: 0), value)
            XCTAssertEqual(row.text(at: 1), "text")
        }
    }

    func testBind_ofABlob_readsTheSame() throws {
        for value: [UInt8] in [[], [0], [0xff, 0, 0x80], Array(repeating: 7, count: 100_000)] {
            let row = try echo { row in
                try value.withUnsafeBytes { try row.bind(blob: $0, at: 1) }
            }
            XCTAssertEqual(row.withBlob(at: 0) { [UInt8]($0) }, value)
            XCTAssertEqual(row.text(at: 1), "blob")
        }
    }

    func testBind_ofBorrowedBytes_copiesThem() throws {
        var bytes: [UInt8] = [1, 2, 3]
        let row = try connect().prepare("SELECT ?1")
        try bytes.withUnsafeBytes { try row.bind(blob: $0, at: 1) }
        bytes[0] = 9
        XCTAssertTrue(try row.step())
        XCTAssertEqual(row.withBlob(at: 0) { [UInt8]($0) }, [1, 2, 3])
    }

    func testBind_ofNil_isNullOfEveryKind() throws {
        let binds: [(SQLiteStatement) throws -> Void] = [
            { try $0.bind(integer: nil, at: 1) }, { try $0.bind(real: nil, at: 1) },
            { try $0.bind(text: nil, at: 1) }, { try $0.bindNull(at: 1) },
        ]
        for bind in binds {
            let row = try echo(bind)
            XCTAssertTrue(row.isNull(at: 0))
            XCTAssertEqual(row.integer(at: 0), 0)
            XCTAssertEqual(row.real(at: 0), 0)
            XCTAssertNil(row.text(at: 0))
            XCTAssertEqual(row.withBlob(at: 0) { $0.count }, 0)
        }
    }

    func testBind_atAnUnknownIndex_throws() throws {
        let statement = try connect().prepare("SELECT ?1")
        XCTAssertThrowsError(try statement.bind(integer: 1, at: 2))
        XCTAssertThrowsError(try statement.bind(text: "", at: 0))
    }

    func testReset_clearsParametersAndRunsAgain() throws {
        let statement = try connect().prepare("SELECT ?1")
        try statement.bind(integer: 5, at: 1)
        XCTAssertTrue(try statement.step())
        statement.reset()
        XCTAssertTrue(try statement.step())
        XCTAssertTrue(statement.isNull(at: 0))
    }

    func testForEachRow_visitsAllAndResetsWhenTheBodyThrows() throws {
        let statement = try connect().prepare("VALUES (1), (2), (3)")
        var seen: [Int64] = []
        XCTAssertThrowsError(
            try statement.forEachRow { _ in throw CancellationError() })
        try statement.forEachRow { seen.append($0.integer(at: 0)) }
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testRun_whenItFails_canRunAgain() throws {
        let connection = try connect()
        try connection.execute("CREATE TABLE t (n INTEGER NOT NULL)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        XCTAssertEqual(try sqliteError { try insert.run() }.reason, .constraint)
        try insert.bind(integer: 1, at: 1)
        try insert.run()
        XCTAssertEqual(connection.changes, 1)
        XCTAssertEqual(connection.lastInsertedRow, 1)
    }

    func testPrepare_ofWrongOrNoSQL_throws() throws {
        let connection = try connect()
        XCTAssertThrowsError(try connection.prepare("SELEKT 1"))
        XCTAssertThrowsError(try connection.prepare("  -- nothing"))
    }

    func testStatement_whenTheConnectionIsReleased_keepsItOpen() throws {
        var connection: SQLiteConnection? = try connect()
        let statement = try XCTUnwrap(connection?.prepare("SELECT 8"))
        connection = nil
        XCTAssertTrue(try statement.step())
        XCTAssertEqual(statement.integer(at: 0), 8)
    }
}
