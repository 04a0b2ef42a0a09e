import GatewayCore
import GatewayTesting
import SQLite
import XCTest

@testable import SQLiteSink

/// Tests of the summaries of hours, which the sink keeps while records arrive.
final class SummaryTests: StoreSinkTestCase {
    func testSummaries_growWithTheBatches_andAreLookedAtOnceAMinute() async throws {
        let sink = try makeSink()
        // Two samples per hour for four hours.
        for hour in 0..<4 {
            let numbers = hour * 10..<hour * 10 + 2
            try await sink.write(records(numbers, secondsAgo: Double(4 - hour) * 3_600))
        }
        clock.advance(seconds: 60)
        // One step, and one that finds nothing to do.
        try await sink.write([])
        try await sink.write([])
        let hours = try integer("SELECT count(*) FROM summary")
        XCTAssertGreaterThanOrEqual(hours, 2)
        // A late sample is summarised a minute later.
        try await sink.write(records(90..<91, secondsAgo: 3.5 * 3_600))
        XCTAssertGreaterThan(try integer("SELECT count(*) FROM summary_mark"), 0)
        clock.advance(seconds: 60)
        try await sink.write([])
        XCTAssertEqual(try integer("SELECT count(*) FROM summary_mark"), 0)
    }

    func testAFailure_isLoggedOnce_andStopsNoBatch() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<2, secondsAgo: 4 * 3_600))
        try await sink.write(records(2..<4))
        try execute("UPDATE unit SET name = 'm'")
        for batch in 1...3 {
            clock.advance(seconds: 60)
            // A late sample, so that there is something to summarise.
            try await sink.write(records(batch * 10..<batch * 10 + 1, secondsAgo: 4 * 3_600))
        }
        let count = try await count()
        XCTAssertEqual(count, 7)
        XCTAssertEqual(logged.count(of: "cannot summarise samples"), 1, logged.text)
    }

    private func integer(_ sql: String) throws -> Int64 {
        let statement = try SQLiteConnection(path: path, access: .readOnly).prepare(sql)
        XCTAssertTrue(try statement.step(), sql)
        return statement.integer(at: 0)
    }

    private func execute(_ sql: String) throws {
        try SQLiteConnection(path: path, access: .readWrite).execute(sql)
    }
}
