import Glibc
import HealthModel
import HealthStatistics
import HourSummaries
import XCTest

@testable import SQLiteStore

/// Statistics of many samples, which several connections read at the same time.
final class StatisticsLaneTests: StoreTestCase {
    private let hour = 3_600

    private var hours: [Range<Instant>] {
        (0..<24).map { instant($0 * hour)..<instant(($0 + 1) * hour) }
    }

    private func makeStore() async throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        let samples = try (0..<24 * 60).map {
            Record.sample(try heartRate($0, at: $0 * 60))
        }
        _ = try await store.save(samples)
        return store
    }

    func testChunks_areAllSpans_inOrder_fourForEachLane() {
        let reading = StatisticsReading(laneCount: 2)
        let chunks = reading.chunks(of: hours, overlap: 1)
        XCTAssertEqual(chunks?.count, 8)
        XCTAssertEqual(chunks?.flatMap(\.self), Array(0..<24))
        XCTAssertEqual(chunks?.map(\.count), [Int](repeating: 3, count: 8))
    }

    func testChunks_areNoShorterThanTheirOverlap() {
        let reading = StatisticsReading(laneCount: 4)
        let nanoseconds = Int64(hour) * 1_000_000_000
        XCTAssertEqual(reading.chunks(of: hours, overlap: 8 * nanoseconds)?.count, 3)
        XCTAssertNil(reading.chunks(of: hours, overlap: 13 * nanoseconds))
        XCTAssertNil(reading.chunks(of: hours, overlap: .max))
    }

    func testChunks_areNotMadeForOneSpanOrOneLane() {
        XCTAssertNil(StatisticsReading(laneCount: 4).chunks(of: [], overlap: 1))
        XCTAssertNil(StatisticsReading(laneCount: 4).chunks(of: Array(hours[..<1]), overlap: 1))
        XCTAssertNil(StatisticsReading(laneCount: 1).chunks(of: hours, overlap: 1))
    }

    func testStatistics_ofLanes_areThoseOfPages() async throws {
        let store = try await makeStore()
        let query = SampleQuery(type: .heartRate)
        let options = StatisticsOptions()
        let pages = try await store.statistics(
            of: query, in: hours, options, StatisticsReading(pageSize: 7, laneCount: 1))
        let lanes = try await store.statistics(
            of: query, in: hours, options, StatisticsReading(pageSize: 7, laneCount: 3))
        XCTAssertEqual(pages.map(\.count), [Int](repeating: 60, count: 24))
        XCTAssertEqual(lanes, pages)
    }

    /// Other connections cannot be opened; the one that has the file goes on.
    func testStatistics_ofAStoreThatWasRemoved_areReadByPages() async throws {
        let store = try await makeStore()
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        let statistics = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: hours, StatisticsOptions(),
            StatisticsReading(pageSize: 7, laneCount: 3))
        XCTAssertEqual(statistics.map(\.count), [Int](repeating: 60, count: 24))
    }

    func testStatistics_ofAnUnwritableStore_areReadByLanes() async throws {
        let pages: [Statistics]
        let query = SampleQuery(type: .heartRate)
        let options = StatisticsOptions()
        do {
            let store = try await makeStore()
            try await store.checkpoint()
            pages = try await store.statistics(of: query, in: hours, options, StatisticsReading())
        }
        let reader = try SQLiteStore(readingFrom: path)
        let lanes = try await reader.statistics(
            of: query, in: hours, options, StatisticsReading(pageSize: 7, laneCount: 3))
        XCTAssertEqual(lanes, pages)
    }

    func testLanes_readTheStateInWhichTheyWereOpened() async throws {
        let store = try await makeStore()
        let opened = try await store.openLanes(2)
        let lanes = try XCTUnwrap(opened)
        _ = try await store.save([.sample(try heartRate(50_000, at: 30))])
        let chunk = SampleChunk(
            SampleQuery(type: .heartRate), Array(hours[..<1]), .merged, StatisticsOptions())
        for lane in lanes {
            let parts = try await lane.parts(of: chunk)
            XCTAssertEqual(parts[nil]?.first?.count, 60)
        }
        let now = try await store.statistics(
            of: chunk.query, in: chunk.spans, StatisticsOptions(), StatisticsReading())
        XCTAssertEqual(now.first?.count, 61)
    }

    func testLanes_reportASampleThatCannotBeRead() async throws {
        let store = try await makeStore()
        try execute("UPDATE sample SET value = 9e999 WHERE start_ns > 0")
        let query = SampleQuery(type: .heartRate)
        do {
            _ = try await store.statistics(
                of: query, in: hours, StatisticsOptions(),
                StatisticsReading(pageSize: 1, laneCount: 2))
            XCTFail("the sample was read")
        } catch let error as SQLiteStoreError {
            guard case .unreadable(table: "sample", _, _, _) = error else { throw error }
        }
    }
}
