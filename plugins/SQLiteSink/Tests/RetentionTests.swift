import GatewayCore
import GatewayTesting
import Glibc
import SQLite
import XCTest

@testable import SQLiteSink

/// Tests of the removal of expired records.
final class RetentionTests: StoreSinkTestCase {
    private static let day = 86_400.0

    func testWithoutKeep_everythingStays() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<10, secondsAgo: 3_000 * Self.day))
        clock.advance(seconds: 3_600)
        try await sink.write(records(10..<20))
        let count = try await count()
        XCTAssertEqual(count, 20)
    }

    func testAge_isCheckedWithTheFirstBatch_andThenOnceAMinute() async throws {
        try await makeSink().write(records(0..<100, secondsAgo: 8 * Self.day))
        let sink = try makeSink("retention: { age: \"7d\" }")
        try await sink.write(records(1_000..<1_001))
        let first = try await count()
        XCTAssertEqual(first, 1)
        XCTAssertEqual(logged.count(of: "records=100"), 1, logged.text)

        // A late record is stored, and removed with the next check.
        try await sink.write(records(0..<50, secondsAgo: 8 * Self.day))
        clock.advance(seconds: 59)
        try await sink.write(records(2_000..<2_001))
        let second = try await count()
        XCTAssertEqual(second, 52)
        clock.advance(seconds: 1)
        try await sink.write(records(3_000..<3_001))
        let third = try await count()
        XCTAssertEqual(third, 3)
        XCTAssertEqual(
            logged.count(of: "removed expired records"), 1, "told once an hour: \(logged.text)")
        clock.advance(seconds: 3_600)
        try await sink.write(records(4_000..<4_001))
        XCTAssertEqual(logged.count(of: "records=50"), 1, logged.text)
    }

    func testAge_byAClockThatNothingKeepsRight_waitsForTheNextLook() async throws {
        try await makeSink().write(records(0..<100, secondsAgo: 5 * Self.day))
        clock.setSynchronized(false)
        let sink = try makeSink("retention: { age: \"7d\" }")
        // Set to another year by mistake, and corrected within a minute.
        clock.stepWallClock(seconds: 400 * Self.day)
        try await sink.write(records(1_000..<1_001))
        clock.stepWallClock(seconds: -400 * Self.day)
        for check in 1...2 {
            clock.advance(seconds: 60)
            try await sink.write(records(1_000 + check..<1_001 + check))
        }
        let all = try await count()
        XCTAssertEqual(all, 103)

        // No step since the last check.
        try await sink.write(records(0..<50, secondsAgo: 8 * Self.day))
        clock.advance(seconds: 60)
        try await sink.write([])
        let kept = try await count()
        XCTAssertEqual(kept, 103)
    }

    func testAge_withALongBacklog_removesALittleWithEachBatch_andMoreThanComes() async throws {
        let loader = try makeSink()
        try await loader.write(records(0..<15_000, secondsAgo: 80 * Self.day))
        let sink = try makeSink("retention: { age: \"7d\" }")
        var counts: [Int] = []
        for batch in 0..<4 {
            try await sink.write(records(batch * 100..<(batch + 1) * 100))
            counts.append(try await count())
        }
        XCTAssertEqual(counts, [13_100, 11_200, 9_300, 7_400])
        // A large batch removes twice its number.
        try await sink.write(records(1_000..<4_500))
        let rest = try await count()
        XCTAssertEqual(rest, 7_400 + 3_500 - 7_000)
        try await sink.write(records(5_000..<5_001))
        let end = try await count()
        XCTAssertEqual(end, 3_901)
        XCTAssertEqual(logged.count(of: "records=15000"), 1, logged.text)
    }

    /// One minute with a thousand samples per second in ten batches per second.
    func testAge_atAThousandSamplesASecond_keepsUp() async throws {
        let sink = try makeSink("retention: { age: \"1h\" }")
        try await makeSink().write(records(0..<60_000, secondsAgo: 2 * Self.day))
        for batch in 0..<60 {
            try await sink.write(records(batch * 10..<batch * 10 + 10))
            clock.advance(seconds: 0.1)
        }
        // Six seconds are enough to remove the records of a minute.
        let count = try await count()
        XCTAssertEqual(count, 600)
    }

    func testSize_keepsTheNewest_andTheFileGrowsNoMore() async throws {
        let sink = try makeSink("retention: { size: \"16 MiB\" }")
        var pages: [Int64] = []
        for batch in 0..<36 {
            try await sink.write(records(batch * 10_000..<(batch + 1) * 10_000))
            clock.advance(seconds: 60)
            pages.append(try integer("PRAGMA page_count"))
        }
        XCTAssertEqual(pages.last, pages[28], "\(pages)")
        XCTAssertLessThan(try XCTUnwrap(pages.last) * 4_096, 18 << 20)
        // The newest are kept: their times have no gap.
        let oldest = try integer("SELECT min(start_ns) FROM sample")
        let count = try integer("SELECT count(*) FROM sample")
        XCTAssertEqual(
            try integer("SELECT count(DISTINCT start_ns) FROM sample"),
            try integer("SELECT count(DISTINCT start_ns) FROM sample WHERE start_ns >= \(oldest)"))
        XCTAssertGreaterThan(count, 200_000)
    }

    private func integer(_ sql: String) throws -> Int64 {
        let statement = try SQLiteConnection(path: path, access: .readOnly).prepare(sql)
        XCTAssertTrue(try statement.step())
        return statement.integer(at: 0)
    }

    func testRetention_thatIsWrong_isRejectedWithItsKeyPath() throws {
        let wrong = [
            ("retention: 5", "sinks.store.retention"), ("retention: {}", "sinks.store.retention"),
            ("retention: \"90d\"", "sinks.store.retention"),
            ("retention: { days: 90 }", "sinks.store.retention.days"),
            ("retention: { age: 90 }", "sinks.store.retention.age"),
            ("retention: { age: \"90\" }", "sinks.store.retention.age"),
            ("retention: { age: \"0d\" }", "sinks.store.retention.age"),
            ("retention: { age: \"59m\" }", "sinks.store.retention.age"),
            ("retention: { age: \"-1d\" }", "sinks.store.retention.age"),
            ("retention: { age: \"90d\", size: \"500 MB\" }", "sinks.store.retention.size"),
            ("retention: { size: \"15 MiB\" }", "sinks.store.retention.size"),
            ("retention: { size: 500 }", "sinks.store.retention.size"),
        ]
        for (settings, keyPath) in wrong {
            XCTAssertThrowsError(try makeSink(settings), settings) { error in
                XCTAssertEqual((error as? ConfigurationError)?.path, keyPath, "\(error)")
            }
        }
        _ = try makeSink("retention: { age: \"90 d\", size: \"500 MiB\" }")
        _ = try makeSink("retention: { age: \"1h\" }")
    }

    func testRetention_thatCannotRemove_writesAllTheSame_andSaysSoOnce() async throws {
        let sink = try makeSink("retention: { age: \"7d\" }")
        try await sink.write(records(0..<1))
        let other = try SQLiteConnection(path: path, access: .readWrite)
        try other.execute(
            """
            CREATE TRIGGER refuse BEFORE DELETE ON sample BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        for batch in 1..<4 {
            clock.advance(seconds: 60)
            try await sink.write(records(batch..<batch + 1, secondsAgo: 8 * Self.day))
        }
        let stuck = try await count()
        XCTAssertEqual(stuck, 4)
        XCTAssertEqual(logged.count(of: "cannot remove expired records"), 1, logged.text)
        try other.execute("DROP TRIGGER refuse")
        clock.advance(seconds: 60)
        try await sink.write(records(1_000..<1_001))
        let count = try await count()
        XCTAssertEqual(count, 2)
    }
}
