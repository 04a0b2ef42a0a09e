import Dispatch
import SQLite
import Synchronization
import XCTest

final class SQLiteMigrationTests: DatabaseTestCase {
    private let ours: Int32 = 0x0bad_cafe
    private let steps: [MigrationStep] = [
        "CREATE TABLE a (n)", "CREATE TABLE b (n); INSERT INTO b VALUES (1)",
    ]

    func testMigrate_ofANewFile_takesEveryStep() throws {
        let connection = try connect()
        try connection.migrate(applicationID: ours, steps: steps)
        XCTAssertEqual(try connection.userVersion, 2)
        XCTAssertEqual(try connection.applicationID, Int(ours))
        XCTAssertEqual(try integer("SELECT count(*) FROM b", on: connection), 1)
    }

    func testMigrate_ofAnEmptyDatabaseOfVersion0_takesEveryStep() throws {
        let connection = try connect()
        try connection.execute("CREATE TABLE a (n); DROP TABLE a")
        try connection.migrate(applicationID: ours, steps: steps)
        XCTAssertEqual(try connection.userVersion, 2)
    }

    func testMigrate_ofAnOlderVersion_takesTheStepsThatAreLeft() throws {
        let connection = try connect()
        try connection.migrate(applicationID: ours, steps: Array(steps.prefix(1)))
        try connection.execute("INSERT INTO a VALUES (5)")
        try connection.migrate(applicationID: ours, steps: steps)
        XCTAssertEqual(try connection.userVersion, 2)
        XCTAssertEqual(try integer("SELECT n FROM a", on: connection), 5)
    }

    func testMigrate_ofTheNewestVersion_doesNothing() throws {
        let connection = try connect()
        try connection.migrate(applicationID: ours, steps: steps)
        try connection.migrate(applicationID: ours, steps: steps)
        XCTAssertEqual(try integer("SELECT count(*) FROM b", on: connection), 1)
    }

    /// A reader sees the version and the owner of one moment, whatever a writer commits meanwhile.
    func testVersion_whileAnotherConnectionCreatesTheSchema_isNeverThatOfAnotherProgram() throws {
        let (ours, steps) = (ours, steps)
        for round in 0..<200 {
            let path = folder + "/race-\(round).sqlite"
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                do {
                    let connection = try SQLiteConnection(path: path, access: .readWrite)
                    if index == 0 {
                        try connection.migrate(applicationID: ours, steps: steps)
                    } else {
                        while try connection.version(applicationID: ours, newest: 2) < 2 {}
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            XCTAssertEqual(failures.withLock { $0 }, [])
        }
    }

    /// Otherwise a query while a gateway creates its store finds tables of the first version.
    func testMigrate_ofANewFile_isSeenAsAWhole() throws {
        let connection = try connect()
        let (ours, path) = (ours, connection.path)
        let seen = Mutex<[Int]>([])
        let look = MigrationStep.converting(
            before: "CREATE TABLE c (n)",
            { _ in
                let reader = try SQLiteConnection(path: path, access: .readOnly)
                let version = try reader.version(applicationID: ours, newest: 3)
                seen.withLock { $0.append(version) }
            }, after: "")
        try connection.migrate(applicationID: ours, steps: steps + [look])
        XCTAssertEqual(seen.withLock { $0 }, [0])
        XCTAssertEqual(try connection.userVersion, 3)
    }

    func testMigrate_whenAStepOfANewFileFails_leavesItEmpty() throws {
        let connection = try connect()
        let broken: [MigrationStep] = [steps[0], "INSERT INTO missing VALUES (1)"]
        XCTAssertThrowsError(try connection.migrate(applicationID: ours, steps: broken))
        XCTAssertEqual(try connection.userVersion, 0)
        XCTAssertEqual(try integer("SELECT count(*) FROM sqlite_master", on: connection), 0)
    }

    func testMigrate_whenAStepFails_keepsTheVersionBefore() throws {
        let connection = try connect()
        try connection.migrate(applicationID: ours, steps: Array(steps.prefix(1)))
        let broken = [steps[0], "CREATE TABLE b (n); INSERT INTO missing VALUES (1)"]
        XCTAssertThrowsError(try connection.migrate(applicationID: ours, steps: broken))
        XCTAssertEqual(try connection.userVersion, 1)
        try connection.migrate(applicationID: ours, steps: steps)
        XCTAssertEqual(try connection.userVersion, 2)
    }

    func testMigrate_ofANewerVersion_isRefused() throws {
        let connection = try connect()
        try connection.migrate(applicationID: ours, steps: steps)
        let error = try sqliteError {
            try connection.migrate(applicationID: ours, steps: Array(steps.prefix(1)))
        }
        XCTAssertEqual(error.reason, .newerFile)
        XCTAssertTrue(
            error.description.contains("version 2 is not supported, the newest is 1"),
            error.description)
    }

    func testMigrate_ofAnotherProgramsFile_isRefusedAndUnchanged() throws {
        let connection = try connect()
        for script in [
            "PRAGMA application_id = 77", "PRAGMA application_id = 0; PRAGMA user_version = 1",
            "PRAGMA user_version = 0; CREATE TABLE theirs (n)",
        ] {
            try connection.execute(script)
            let before = try connection.userVersion
            let error = try sqliteError {
                try connection.migrate(applicationID: ours, steps: steps)
            }
            XCTAssertEqual(error.reason, .foreignFile, script)
            XCTAssertEqual(try connection.userVersion, before, script)
        }
        XCTAssertEqual(
            try integer("SELECT count(*) FROM sqlite_master", on: connection), 1)
    }

    func testMigrate_ofAFileWithoutADatabase_isRefused() throws {
        try write(Array("not a database at all, but long enough".utf8))
        let connection = try connect()
        let error = try sqliteError {
            try connection.migrate(applicationID: ours, steps: steps)
        }
        XCTAssertEqual(error.reason, .notADatabase)
    }
}
