import Foundation
import GatewayTesting
import HealthModel
import HealthStore
import SQLite
import XCTest

@testable import SQLiteStore

/// A store of each version that was ever released is read as it is, and brought up to date by the writer.
final class SchemaStepsTests: StoreTestCase {
    private let newest = Schema.steps.count

    /// Writes a store of a version with three heart rates, as its gateway wrote them.
    private func write(version: Int) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.migrate(
            applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(version)))
        try connection.pragma("journal_mode", to: "WAL")
        try connection.execute(
            """
            INSERT INTO type (id, name) VALUES (1, 'heartRate');
            INSERT INTO unit VALUES (1, 'count/min');
            INSERT INTO person VALUES (1, 'ada');
            """)
        let hasOrigins = version >= SampleConversion.version
        if hasOrigins {
            try connection.execute("INSERT INTO origin VALUES (1, 1, 1, NULL, NULL, 0)")
        }
        for number in 0..<3 {
            let sample = try heartRate(number, person: "ada")
            let id = "x'\(String(sample.id.description.filter { $0 != "-" }))'"
            let time = sample.start.nanosecondsSince1970
            try connection.execute(
                hasOrigins
                    ? """
                    INSERT INTO sample VALUES (
                        \(SampleRows.home(of: sample.id)), \(id), 1, 1, \(time), 0,
                        \(60 + number), NULL);
                    UPDATE tally SET stored = stored + 1;
                    """
                    : """
                    INSERT INTO sample (id, type, start_ns, end_ns, value, unit, person) VALUES (
                        \(id), 1, \(time), \(time), \(60 + number), 1, 1);
                    """)
        }
    }

    /// What was stored by an earlier version is recognised again by its sync identifier.
    func testVersions_ofAnEarlierStore_areReplaced() async throws {
        var metadata = Metadata()
        try metadata.setSync(identifier: "a", version: 1)
        for version in SampleConversion.version..<newest {
            removeStore()
            try write(version: version)
            try execute("UPDATE sample SET metadata = '\(metadata.json)' WHERE start_ns = 0")
            var next = Metadata()
            try next.setSync(identifier: "a", version: 2)
            let store = try SQLiteStore(path: path)
            let later = try heartRate(9, person: "ada", metadata: next)
            _ = try await store.save([.sample(later)])
            let left = try await store.samples(matching: SampleQuery(type: .heartRate))
            XCTAssertEqual(left.map(\.id.high), [1, 2, 9], "version \(version)")
        }
    }

    private func removeStore() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    func testStore_ofEachVersion_isRead_migrated_andWritten() async throws {
        let samples = try (0..<3).map { try heartRate($0, person: "ada") }
        let query = SampleQuery(type: .heartRate)
        for version in 1...newest {
            removeStore()
            try write(version: version)
            let read = try await SQLiteStore(readingFrom: path).samples(matching: query)
            XCTAssertEqual(read, samples, "version \(version)")
            XCTAssertEqual(try integer("PRAGMA user_version"), Int64(version))
            let store = try SQLiteStore(path: path)
            XCTAssertEqual(try integer("PRAGMA user_version"), Int64(newest))
            let outcome = try await store.save(
                samples.map { .sample($0) } + [.sample(try heartRate(3, person: "ada"))])
            XCTAssertEqual(
                outcome, SaveOutcome(stored: 1, alreadyStored: 3), "version \(version)")
            let deleted = try await store.delete(
                .records([samples[0].id], kinds: [.sample]), at: instant(9))
            XCTAssertEqual(deleted.map(\.count), [1], "version \(version)")
            let left = try await store.samples(matching: query)
            XCTAssertEqual(left.map(\.id.high), [1, 2, 3], "version \(version)")
            let check = try SQLiteConnection(path: path, access: .readOnly)
                .pragma("integrity_check")
            XCTAssertEqual(check, "ok", "version \(version)")
        }
    }

    /// A file of a later version is refused with what to do, and its bytes stay.
    func testStore_ofALaterVersion_isRefusedUntouched() async throws {
        try write(version: newest)
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.execute("PRAGMA user_version = \(newest + 1)")
        try connection.pragma("journal_mode", to: "DELETE")
        let before = try XCTUnwrap(FileManager.default.contents(atPath: path))
        XCTAssertThrowsError(try SQLiteStore(path: path)) { error in
            XCTAssertTrue("\(error)".contains("newer"), "\(error)")
        }
        XCTAssertThrowsError(try SQLiteStore(readingFrom: path))
        XCTAssertEqual(FileManager.default.contents(atPath: path), before)
    }
}
