import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

/// Retention removes the right records, in order, in batches.
final class RetentionTests: StoreTestCase {
    private func event(_ number: Int, at seconds: Int) -> Record {
        .event(
            DeviceEvent(
                id: RecordID(high: UInt64(number), low: 3), at: instant(seconds),
                device: Device(name: "strap"), state: DeviceState(connection: .connected)))
    }

    private func removeAll(
        from store: SQLiteStore, beyond bounds: Retention.Bounds
    ) async throws -> [Int] {
        var steps: [Int] = []
        repeat {
            steps.append(try await store.removeNextBatch(beyond: bounds))
        } while steps.last != 0
        return steps
    }

    private func usedBytes() throws -> Int64 {
        let pages = try integer("PRAGMA page_count") - integer("PRAGMA freelist_count")
        return try pages * integer("PRAGMA page_size")
    }

    func testRemove_byAge_removesOfEveryTypeWhatBeganBefore_inSteps() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<3_000))
        _ = try await store.save((0..<30).map { .sample(try steps($0, from: $0, to: 9_000)) })
        _ = try await store.save((0..<20).map { event($0, at: $0 * 100) })
        let bounds = Retention.Bounds(start: instant(2_500))
        let removed = try await removeAll(from: store, beyond: bounds)
        XCTAssertEqual(removed, [1_000, 1_000, 550, 0])
        XCTAssertEqual(try integer("SELECT min(start_ns) FROM sample"), 2_500_000_000_000)
        XCTAssertEqual(try integer("SELECT count(*) FROM sample"), 500)
        XCTAssertEqual(try integer("SELECT count(*) FROM event"), 0)
    }

    func testRemove_byAge_takesTheOldestFirst() async throws {
        let store = try SQLiteStore(path: path)
        // Stored in reverse order: the time of the sample counts, not the insertion order.
        for first in stride(from: 2_000, through: 0, by: -1_000) {
            _ = try await store.save(heartRates(first..<first + 1_000))
        }
        let removed = try await store.removeNextBatch(
            beyond: Retention.Bounds(start: instant(9_999)))
        XCTAssertEqual(removed, 1_000)
        XCTAssertEqual(try integer("SELECT min(start_ns) FROM sample"), 1_000_000_000_000)
    }

    func testRemove_byAge_leavesTheFutureAndTakes1970_whateverTheClockSays() async throws {
        let store = try SQLiteStore(path: path)
        let times = [0, -5, 1_000, 9_000_000_000]
        let records = try times.enumerated().map {
            Record.sample(try heartRate($0.offset, at: $0.element))
        }
        _ = try await store.save(records)
        let day = Retention(ageSeconds: 86_400)
        for (now, left) in [(-1_000_000, 4), (0, 4), (86_401, 2), (9_000_000_000, 1)] {
            let bounds = day.bounds(at: instant(now))
            _ = try await removeAll(from: store, beyond: bounds)
            XCTAssertEqual(
                try integer("SELECT count(*) FROM sample"), Int64(left), "at \(now)")
        }
    }

    func testBounds_atTheEndsOfTime_doNotOverflow() {
        let old = Retention(ageSeconds: 3_155_760_000)
        for nanoseconds in [Int64.min, 0, .max] {
            let start = old.bounds(at: Instant(nanosecondsSince1970: nanoseconds)).start
            XCTAssertLessThanOrEqual(start?.nanosecondsSince1970 ?? .max, nanoseconds)
        }
    }

    func testRemove_ofWhatComesAgain_removesItAgain() async throws {
        let store = try SQLiteStore(path: path)
        let old = try heartRates(0..<10)
        let bounds = Retention.Bounds(start: instant(100))
        for _ in 0..<2 {
            let outcome = try await store.save(old)
            XCTAssertEqual(outcome, SaveOutcome(stored: 10))
            let steps = try await removeAll(from: store, beyond: bounds)
            XCTAssertEqual(steps, [10, 0])
        }
    }

    func testRemove_bySize_removesWhatWasStoredFirst_untilItFits() async throws {
        let store = try SQLiteStore(path: path)
        // Dates do not matter: the first stored samples are the newest here.
        for batch in 0..<10 {
            let numbers = batch * 1_000..<(batch + 1) * 1_000
            _ = try await store.save(
                numbers.map { .sample(try heartRate($0, at: 1_000_000 - $0)) })
            _ = try await store.save((0..<10).map { event(batch * 10 + $0, at: 5) })
        }
        let full = try usedBytes()
        let bounds = Retention.Bounds(bytes: full / 2)
        let steps = try await removeAll(from: store, beyond: bounds)
        XCTAssertTrue(steps.allSatisfy { $0 <= 1_000 }, "\(steps)")
        XCTAssertLessThanOrEqual(try usedBytes(), full / 2)
        XCTAssertGreaterThan(try usedBytes(), full / 3)
        let (first, count, last) = (
            try integer("SELECT min(sequence) FROM sample"),
            try integer("SELECT count(*) FROM sample"),
            try integer("SELECT max(sequence) FROM sample")
        )
        let rows = try (0..<10_000).map { SampleRows.home(of: try heartRate($0).id) }.sorted()
        XCTAssertEqual(last, rows.last)
        XCTAssertEqual(first, rows.suffix(Int(count)).first)
        // The same fraction of the events, and the first ones.
        let events = try integer("SELECT count(*) FROM event")
        XCTAssertEqual(Double(events), Double(count) / 100, accuracy: 6)
        XCTAssertEqual(try integer("SELECT max(sequence) FROM event"), 100)
        XCTAssertEqual(try integer("SELECT min(sequence) FROM event"), 101 - events)
    }

    func testRemove_bySize_reusesTheFreePagesOfTheFile() async throws {
        let store = try SQLiteStore(path: path)
        for batch in 0..<10 {
            _ = try await store.save(heartRates(batch * 1_000..<(batch + 1) * 1_000))
        }
        let pages = try integer("PRAGMA page_count")
        let bounds = Retention.Bounds(bytes: try usedBytes())
        for batch in 10..<30 {
            _ = try await store.save(heartRates(batch * 1_000..<(batch + 1) * 1_000))
            _ = try await removeAll(from: store, beyond: bounds)
        }
        XCTAssertLessThan(try integer("PRAGMA page_count"), pages + pages / 5)
        XCTAssertEqual(try integer("SELECT max(start_ns) / 1000000000 FROM sample"), 29_999)
        let store2 = try SQLiteConnection(path: path, access: .readOnly)
        XCTAssertEqual(try store2.pragma("integrity_check"), "ok")
    }

    func testRemove_whenNothingFits_removesAllAndEnds() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<1_500))
        _ = try await store.save((0..<1_200).map { event($0, at: $0) })
        let steps = try await removeAll(from: store, beyond: Retention.Bounds(bytes: 1))
        XCTAssertEqual(steps.reduce(0, +), 2_700)
        let counts = try rowCounts()
        XCTAssertEqual(counts["sample"], 0)
        XCTAssertEqual(counts["event"], 0)
        // Referenced rows remain and are used by new records.
        XCTAssertEqual(counts["device"], 1)
        let outcome = try await store.save([event(1, at: 1)])
        XCTAssertEqual(outcome, SaveOutcome(stored: 1))
        XCTAssertEqual(try rowCounts()["device"], 1)
    }

    func testRemove_whileAPageIsBeingRead_givesNoErrorAndNoSampleTwice() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<3_000))
        let reader = try SQLiteStore(readingFrom: path)
        var numbers: [UInt64] = []
        for try await page in reader.pages(matching: SampleQuery(type: .heartRate)) {
            numbers += page.map(\.id.high)
            let bounds = Retention.Bounds(start: instant(2_500))
            if numbers.count == 1_000 { _ = try await removeAll(from: store, beyond: bounds) }
        }
        XCTAssertEqual(numbers, Array(0..<1_000) + Array(2_500..<3_000))
    }

    func testStatements_goByAnIndex() throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.migrate(applicationID: Schema.applicationID, steps: Schema.steps)
        for sql in RecordRemover.statements {
            var plan: [String] = []
            let explain = try connection.prepare("EXPLAIN QUERY PLAN \(sql)")
            try explain.forEachRow { plan.append($0.text(at: 3) ?? "") }
            let limited = sql.contains("ORDER BY sequence LIMIT")
            for table in ["sample", "event", "category", "correlation", "workout"]
            where !limited {
                let scans = plan.filter { $0.hasPrefix("SCAN \(table)") }
                XCTAssertEqual(scans, [], sql)
            }
            XCTAssertFalse(
                plan.contains { $0.contains("TEMP B-TREE") } && !sql.contains("FROM type"), sql)
        }
    }
}
