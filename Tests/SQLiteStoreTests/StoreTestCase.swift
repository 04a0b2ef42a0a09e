import Foundation
import GatewayTesting
import HealthModel
import HealthStore
import SQLite
import XCTest

@testable import SQLiteStore

/// A test case with a temporary folder and samples for a store.
class StoreTestCase: XCTestCase {
    private var temporary: TemporaryFolder?

    override func setUpWithError() throws {
        temporary = try TemporaryFolder()
    }

    override func tearDownWithError() throws {
        temporary = nil
    }

    var folder: String { temporary?.path ?? "" }

    var path: String { folder + "/health.sqlite" }

    /// A heart rate at a number of seconds after 1970; the id is derived from the number.
    func heartRate(
        _ number: Int, at seconds: Int? = nil, person: String? = nil, device: Device? = nil,
        source: SourceRevision? = nil, metadata: Metadata = Metadata()
    ) throws -> QuantitySample {
        let start = instant(seconds ?? number)
        return try QuantitySample(
            id: RecordID(high: UInt64(number), low: 1), type: .heartRate, start: start,
            end: start, quantity: Quantity(60 + Double(number % 100), Unit(parsing: "count/min")),
            person: person, device: device, source: source, metadata: metadata)
    }

    func steps(_ number: Int, from start: Int, to end: Int) throws -> QuantitySample {
        try QuantitySample(
            id: RecordID(high: UInt64(number), low: 2), type: .stepCount, start: instant(start),
            end: instant(end), quantity: Quantity(Double(number), Unit(parsing: "count")))
    }

    func heartRates(_ numbers: Range<Int>) throws -> [Record] {
        try numbers.map { .sample(try heartRate($0)) }
    }

    func instant(_ seconds: Int) -> Instant {
        Instant(nanosecondsSince1970: Int64(seconds) * 1_000_000_000)
    }

    /// Checks that a call of the store throws an error of the store.
    func assertThrows<Value>(
        _ expected: SQLiteStoreError, _ body: () async throws -> Value
    ) async {
        await assertThrowsError(expected, body)
    }

    /// Checks that a call of the store throws an error about what it was asked for.
    func assertThrows<Value>(
        _ expected: HealthStoreError, _ body: () async throws -> Value
    ) async {
        await assertThrowsError(expected, body)
    }

    private func assertThrowsError<Value, Failure: Error & Equatable>(
        _ expected: Failure, _ body: () async throws -> Value
    ) async {
        do {
            _ = try await body()
            XCTFail("nothing is thrown")
        } catch {
            XCTAssertEqual(error as? Failure, expected, "\(error)")
        }
    }

    /// Reads the first column of the first row on a separate connection.
    func integer(_ sql: String, at path: String? = nil) throws -> Int64 {
        let statement = try SQLiteConnection(path: path ?? self.path, access: .readOnly)
            .prepare(sql)
        XCTAssertTrue(try statement.step(), sql)
        return statement.integer(at: 0)
    }

    func rowCounts() throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for table in ["device", "source", "person", "type", "unit", "sample", "event"] {
            counts[table] = try integer("SELECT count(*) FROM \(table)")
        }
        return counts
    }

    /// Changes the file without the store.
    func execute(_ script: String) throws {
        try SQLiteConnection(path: path, access: .readWrite).execute(script)
    }
}

/// Asserts that asynchronous code throws.
func caught(_ body: () async throws -> Void) async -> (any Error)? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}
