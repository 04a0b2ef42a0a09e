import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Readings
import SQLite
import SQLiteStore
import XCTest

@testable import SQLiteSink

/// Tests of a sink that writes while other connections read the same file.
final class ReadersTests: StoreSinkTestCase {
    private func logBytes() -> Int64 {
        var status = stat()
        return stat("\(path)-wal", &status) == 0 ? Int64(status.st_size) : -1
    }

    func testManyReaders_comingAndGoing_neverFail_norDoesABatch() async throws {
        let sink = try makeSink("retention: { age: \"7d\" }", logLimitBytes: 100_000)
        let batches = try (0..<60).map { try records($0 * 50..<($0 + 1) * 50) }
        let old = try records(0..<50, secondsAgo: 8 * 86_400)
        let begin = clock.epoch().instant(at: clock.now())
        try await sink.write(batches[0])
        let (path, clock) = (path, clock)
        let counts = try await withThrowingTaskGroup(of: [Int].self) { group in
            group.addTask {
                for batch in batches.dropFirst() {
                    try await sink.write(batch)
                    try await sink.write(old)
                    clock.advance(seconds: 60)
                }
                return []
            }
            for _ in 0..<4 {
                group.addTask {
                    var counts = [0]
                    while let last = counts.last, last < 60 * 50 {
                        // A new connection for each query, like a command.
                        let reader = try SQLiteStore(readingFrom: path)
                        let query = SampleQuery(type: .heartRate, from: begin)
                        counts.append(try await reader.samples(matching: query).count)
                    }
                    return counts
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for counts in counts {
            XCTAssertEqual(counts, counts.sorted())
            XCTAssertTrue(counts.allSatisfy { $0 % 50 == 0 })
        }
        XCTAssertEqual(logged.count(of: "cannot"), 0, logged.text)
    }

    func testALongRead_isReportedOnceWithItsReader_andTheLogIsSmallAgainAfterwards() async throws {
        let sink = try makeSink(logLimitBytes: 1_000_000)
        try await sink.write(records(0..<100))
        let reader = try SQLiteConnection(path: path, access: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM sample")
        for batch in 1..<20 {
            try await sink.write(records(batch * 1_000..<(batch + 1) * 1_000))
            if batch.isMultiple(of: 5) { clock.advance(seconds: 60) }
        }
        XCTAssertGreaterThan(logBytes(), 1_000_000)
        XCTAssertEqual(logged.count(of: "write-ahead log keeps growing"), 1, logged.text)
        XCTAssertEqual(logged.count(of: "(\(getpid()))"), 1, logged.text)
        try reader.execute("ROLLBACK")

        try await sink.write(records(20_000..<20_010))
        XCTAssertEqual(
            logged.count(of: "write-ahead log truncated"), 0, "not before a minute is over")
        clock.advance(seconds: 60)
        try await sink.write(records(20_010..<20_020))
        XCTAssertEqual(logged.count(of: "write-ahead log truncated"), 1, logged.text)
        XCTAssertLessThan(logBytes(), 100_000)
        let count = try await count()
        XCTAssertEqual(count, 19_120)
    }

    func testAStoreThatIsMovedWhileItIsRead_isReportedOnce_howeverOftenItIsTried() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<10))
        let reader = try SQLiteConnection(path: path, access: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM sample")
        try await sink.write(records(10..<12))
        XCTAssertEqual(rename(path, "\(folder)/away.sqlite"), 0)
        for _ in 0..<3 {
            do {
                try await sink.write(records(12..<15))
                XCTFail("the write worked")
            } catch SinkError.retry(let reason, _) {
                XCTAssertTrue(reason.contains("is being read"), reason)
            }
        }
        XCTAssertEqual(logged.text, "")
        try reader.execute("COMMIT")
        try await sink.write(records(12..<15))
        XCTAssertEqual(logged.count(of: "the store was moved"), 1, logged.text)
        let moved = try await count(at: "\(folder)/away.sqlite")
        let new = try await count()
        XCTAssertEqual([moved, new], [12, 3])
    }

    func testALogWithinItsLimit_isNotCutBack() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<1_000))
        let before = logBytes()
        clock.advance(seconds: 60)
        try await sink.write(records(1_000..<1_001))
        XCTAssertGreaterThanOrEqual(logBytes(), before)
        XCTAssertEqual(logged.text, "")
    }
}
