import Glibc
import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

/// Batches that fail half-way are rolled back, earlier ones stay, and the store continues.
final class SQLiteStoreFaultTests: StoreTestCase {
    private let batchCount = 12
    private let batchSize = 20

    private func batch(_ index: Int) throws -> [Record] {
        try (index * batchSize..<(index + 1) * batchSize).map { number in
            .sample(
                try heartRate(
                    number, person: "person\(number)",
                    device: Device(name: "device \(number)", serial: "\(number)")))
        }
    }

    private func numbers(upToBatch count: Int) -> [UInt64] {
        (0..<count * batchSize).map { UInt64($0) }
    }

    /// A store without its actor, so that a test can reach the connection.
    private func makeConnection(named name: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: folder + "/" + name, access: .readWrite)
        try connection.migrate(applicationID: Schema.applicationID, steps: Schema.steps)
        try connection.pragma("journal_mode", to: "WAL")
        try connection.pragma("foreign_keys", to: "OFF")
        return connection
    }

    private func storedNumbers(_ connection: SQLiteConnection) throws -> [UInt64] {
        let lookup = try RowLookup(connection)
        let samples = try SampleReader(connection, lookup)
            .page(of: SampleQuery(type: .heartRate), size: nil).items
        for sample in samples {
            XCTAssertEqual(sample.device?.serial, "\(sample.id.high)")
            XCTAssertEqual(sample.person, "person\(sample.id.high)")
        }
        return samples.map(\.id.high)
    }

    private func assertIntact(_ connection: SQLiteConnection, _ note: String) throws {
        XCTAssertEqual(try connection.pragma("integrity_check"), "ok", note)
        XCTAssertNil(try connection.pragma("foreign_key_check"), note)
    }

    /// Saves batches until one fails, and returns how many did not.
    private func saveUntilFailure(
        _ writer: RecordWriter, expecting reasons: Set<SQLiteError.Reason>, note: String
    ) throws -> Int {
        for index in 0..<batchCount {
            do {
                let outcome = try writer.save(batch(index))
                XCTAssertEqual(outcome, SaveOutcome(stored: batchSize), note)
            } catch let error as SQLiteError {
                XCTAssertTrue(reasons.contains(error.reason), "\(note): \(error)")
                return index
            }
        }
        return batchCount
    }

    func testSave_whenTheFileIsFullAtAnyPage_keepsWhatWasAcceptedAndNoMore() throws {
        var limit = 1
        var accepted = 0
        while accepted < batchCount {
            let note = "at \(limit) pages"
            let connection = try makeConnection(named: "full-\(limit).sqlite")
            let writer = try RecordWriter(connection)
            try connection.pragma("max_page_count", to: String(limit))
            accepted = try saveUntilFailure(writer, expecting: [.full], note: note)
            XCTAssertFalse(connection.isInTransaction, note)
            XCTAssertEqual(try storedNumbers(connection), numbers(upToBatch: accepted), note)
            try assertIntact(connection, note)

            try connection.pragma("max_page_count", to: "100000")
            for index in accepted..<batchCount { _ = try writer.save(batch(index)) }
            XCTAssertEqual(try storedNumbers(connection), numbers(upToBatch: batchCount), note)
            try assertIntact(connection, note)
            limit += 1
        }
        XCTAssertGreaterThan(limit, 20)
    }

    func testSave_whenAWriteFailsAtAnyPlace_keepsWhatWasAcceptedAndNoMore() throws {
        // Beyond the file size limit writes fail; the signal SIGXFSZ would end the tests.
        let handler = signal(SIGXFSZ, SIG_IGN)
        defer { signal(SIGXFSZ, handler) }
        var limit = 32_768
        var accepted = 0
        var failures = 0
        while accepted < batchCount {
            let note = "with files of \(limit) bytes"
            let connection = try makeConnection(named: "limited-\(limit).sqlite")
            let writer = try RecordWriter(connection)
            accepted = try withLargestFile(limit) {
                try saveUntilFailure(writer, expecting: [.inputOutput, .full], note: note)
            }
            if accepted < batchCount { failures += 1 }
            XCTAssertFalse(connection.isInTransaction, note)
            XCTAssertEqual(try storedNumbers(connection), numbers(upToBatch: accepted), note)
            for index in accepted..<batchCount { _ = try writer.save(batch(index)) }
            XCTAssertEqual(try storedNumbers(connection), numbers(upToBatch: batchCount), note)
            try assertIntact(connection, note)
            limit += 10_007
        }
        XCTAssertGreaterThan(failures, 10)
    }

    private func withLargestFile<Result>(
        _ bytes: Int, _ body: () throws -> Result
    ) throws -> Result {
        var old = rlimit()
        XCTAssertEqual(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old), 0)
        var new = old
        new.rlim_cur = rlim_t(bytes)
        XCTAssertEqual(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &new), 0)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
        return try body()
    }

    func testSave_whenTheFileMayNotBeWritten_throwsAndContinuesLater() throws {
        let connection = try makeConnection(named: "read-only.sqlite")
        let writer = try RecordWriter(connection)
        _ = try writer.save(batch(0))
        try connection.pragma("query_only", to: "ON")
        XCTAssertThrowsError(try writer.save(batch(1))) {
            XCTAssertEqual(($0 as? SQLiteError)?.reason, .readOnly)
        }
        try connection.pragma("query_only", to: "OFF")
        _ = try writer.save(batch(1))
        XCTAssertEqual(try storedNumbers(connection), numbers(upToBatch: 2))
    }

    func testSave_whenAConstraintFails_storesNothingOfTheBatch() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(batch(0))
        let counts = try rowCounts()
        try execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON sample WHEN NEW.start_ns = 35000000000
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        let records = try batch(1)
        let error = await caught { _ = try await store.save(records) }
        XCTAssertEqual((error as? SQLiteError)?.reason, .constraint)
        XCTAssertEqual(try rowCounts(), counts)
        try execute("DROP TRIGGER refuse")
        let outcome = try await store.save(records)
        XCTAssertEqual(outcome, SaveOutcome(stored: batchSize))
        XCTAssertEqual(
            try storedNumbers(SQLiteConnection(path: path, access: .readOnly)),
            numbers(upToBatch: 2))
    }

    func testSave_afterARollback_doesNotUseTheRowsThatAreGone() async throws {
        let store = try SQLiteStore(path: path)
        try execute(
            """
            CREATE TRIGGER refuse AFTER INSERT ON sample
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        let mine = try heartRate(
            1, person: "ada", device: Device(name: "mine"), source: SourceRevision(name: "mine"))
        let theirs = try heartRate(
            2, person: "bob", device: Device(name: "theirs"), source: SourceRevision(name: "theirs")
        )
        let error = await caught { _ = try await store.save([.sample(mine)]) }
        XCTAssertEqual((error as? SQLiteError)?.reason, .constraint)
        try execute("DROP TRIGGER refuse")
        // Another store uses the row ids that the first had before its rollback.
        _ = try await SQLiteStore(path: path).save([.sample(theirs)])
        _ = try await store.save([.sample(mine)])
        let read = try await SQLiteStore(readingFrom: path)
            .samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(read, [mine, theirs])
    }

    func testSave_afterARollback_findsLongSamplesAgain() async throws {
        let store = try SQLiteStore(path: path)
        try execute(
            """
            CREATE TRIGGER refuse AFTER INSERT ON sample
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        let long = try steps(1, from: 0, to: 1_000)
        let error = await caught { _ = try await store.save([.sample(long)]) }
        XCTAssertNotNil(error)
        try execute("DROP TRIGGER refuse")
        _ = try await store.save([.sample(long)])
        let read = try await store.samples(
            matching: SampleQuery(type: .stepCount, from: instant(900)))
        XCTAssertEqual(read, [long])
    }
}
