import Foundation
import HealthModel
import HealthStatistics
import SQLite
import XCTest

@testable import SQLiteStore

final class SQLiteStoreQueryTests: StoreTestCase {
    private func store(_ samples: [QuantitySample]) async throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(samples.map { .sample($0) })
        return store
    }

    private func numbers(_ store: SQLiteStore, _ query: SampleQuery) async throws -> [Int] {
        try await store.samples(matching: query).map { Int($0.id.high) }
    }

    func testQuery_ofInstants_isHalfOpen() async throws {
        let store = try await store((0..<10).map { try heartRate($0) })
        let middle = try await numbers(
            store, SampleQuery(type: .heartRate, from: instant(3), to: instant(6)))
        XCTAssertEqual(middle, [3, 4, 5])
        let from = try await numbers(store, SampleQuery(type: .heartRate, from: instant(8)))
        XCTAssertEqual(from, [8, 9])
        let to = try await numbers(store, SampleQuery(type: .heartRate, to: instant(2)))
        XCTAssertEqual(to, [0, 1])
        let empty = try await numbers(
            store, SampleQuery(type: .heartRate, from: instant(5), to: instant(5)))
        XCTAssertEqual(empty, [])
        let backwards = try await numbers(
            store, SampleQuery(type: .heartRate, from: instant(6), to: instant(5)))
        XCTAssertEqual(backwards, [])
    }

    func testQuery_ofIntervals_findsThoseThatOverlap() async throws {
        let store = try await store([
            try steps(1, from: 0, to: 100), try steps(2, from: 0, to: 10),
            try steps(3, from: 10, to: 20), try steps(4, from: 19, to: 21),
            try steps(5, from: 20, to: 30),
        ])
        let found = try await numbers(
            store, SampleQuery(type: .stepCount, from: instant(10), to: instant(20)))
        XCTAssertEqual(found, [1, 3, 4])
        let last = try await numbers(store, SampleQuery(type: .stepCount, from: instant(99)))
        XCTAssertEqual(last, [1])
        let none = try await numbers(store, SampleQuery(type: .stepCount, from: instant(100)))
        XCTAssertEqual(none, [])
    }

    func testQuery_givesTheTypeOnly() async throws {
        let store = try await store([try heartRate(1), try steps(2, from: 0, to: 9)])
        let rates = try await numbers(store, SampleQuery(type: .heartRate))
        XCTAssertEqual(rates, [1])
        let masses = try await numbers(store, SampleQuery(type: .bodyMass))
        XCTAssertEqual(masses, [])
        let counts = try await [
            store.count(of: .heartRate), store.count(of: .stepCount), store.count(of: .bodyMass),
        ]
        XCTAssertEqual(counts, [1, 1, 0])
    }

    func testQuery_byDevice_matchesAddressNameAndSerialInAnyCase() async throws {
        let strap = Device(name: "Äda's Strap", localIdentifier: "D0:11:22:33:44:5A", serial: "S9x")
        let updated = strap.merging(Device(firmwareVersion: "2"))
        let other = Device(name: "Other", manufacturer: "S9x")
        let store = try await store([
            try heartRate(1, device: strap), try heartRate(2, device: other),
            try heartRate(3), try heartRate(4, device: updated),
        ])
        for name in ["d0:11:22:33:44:5a", "äDA's strap", "s9X"] {
            let found = try await numbers(store, SampleQuery(type: .heartRate, device: name))
            XCTAssertEqual(found, [1, 4], name)
        }
        for name in ["", "S9", "%", "D0:11:22:33:44:5A' OR 1 --"] {
            let found = try await numbers(store, SampleQuery(type: .heartRate, device: name))
            XCTAssertEqual(found, [], name)
        }
    }

    func testQuery_byPerson_matchesTheName() async throws {
        let store = try await store([
            try heartRate(1, person: "ada"), try heartRate(2, person: "bob"), try heartRate(3),
            try heartRate(4, person: "ada"),
        ])
        let ada = try await numbers(store, SampleQuery(type: .heartRate, person: "ada"))
        XCTAssertEqual(ada, [1, 4])
        let unknown = try await numbers(store, SampleQuery(type: .heartRate, person: "eve"))
        XCTAssertEqual(unknown, [])
    }

    func testQuery_ordersByStartThenByArrival() async throws {
        let store = try await store([
            try heartRate(1, at: 50), try heartRate(2, at: 10), try heartRate(3, at: 50),
            try heartRate(4, at: 20),
        ])
        let oldest = try await numbers(store, SampleQuery(type: .heartRate))
        XCTAssertEqual(oldest, [2, 4, 1, 3])
        let newest = try await numbers(
            store, SampleQuery(type: .heartRate, limit: 3, order: .newestFirst))
        XCTAssertEqual(newest, [3, 1, 4])
        let none = try await numbers(store, SampleQuery(type: .heartRate, limit: 0))
        XCTAssertEqual(none, [])
    }

    func testLatest_isTheNewestThatMatches() async throws {
        let store = try await store([
            try heartRate(1, at: 50, person: "ada"), try heartRate(2, at: 70),
            try heartRate(3, at: 60, person: "ada"),
        ])
        let latest = try await store.latestSample(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(latest?.id.high, 2)
        let ada = try await store.latestSample(
            matching: SampleQuery(type: .heartRate, person: "ada"))
        XCTAssertEqual(ada?.id.high, 3)
        let none = try await store.latestSample(matching: SampleQuery(type: .bodyMass))
        XCTAssertNil(none)
    }

    func testPages_giveEverySampleOnceInBothOrders() async throws {
        // Samples with equal starts cross the ends of pages.
        let samples = try (0..<2_500).map { try heartRate($0, at: $0 / 700) }
        let store = try await store(samples)
        for order in [QueryOrder.oldestFirst, .newestFirst] {
            var pages: [[Int]] = []
            for try await page in store.pages(
                matching: SampleQuery(type: .heartRate, from: instant(0), order: order))
            {
                pages.append(page.map { Int($0.id.high) })
            }
            XCTAssertEqual(pages.map(\.count), [1_000, 1_000, 500])
            // Samples that start at the same time are in the order of their rows.
            let oldestFirst = samples.sorted {
                ($0.start, SampleRows.home(of: $0.id)) < ($1.start, SampleRows.home(of: $1.id))
            }.map { Int($0.id.high) }
            XCTAssertEqual(
                pages.flatMap { $0 },
                order == .oldestFirst ? oldestFirst : oldestFirst.reversed())
        }
    }

    func testPages_endAtTheLimit() async throws {
        let store = try await store((0..<2_000).map { try heartRate($0) })
        for limit in [0, 1, 999, 1_000, 1_001, 2_000, 9_999] {
            var count = 0
            for try await page in store.pages(
                matching: SampleQuery(type: .heartRate, limit: limit))
            {
                XCTAssertFalse(page.isEmpty)
                count += page.count
            }
            XCTAssertEqual(count, min(limit, 2_000))
        }
    }

    /// With a bound below the position SQLite would read all rows before the position for every
    /// page.
    func testPages_afterAPosition_haveOneBoundOfTheStart() async throws {
        let store = try await store([try heartRate(1)])
        _ = store
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        let lookup = try RowLookup(connection)
        let time = Instant(nanosecondsSince1970: 5)
        let position = SamplePosition(startNanoseconds: 7, row: 1)
        for (order, expected) in [
            (QueryOrder.oldestFirst, "(type=? AND start_ns>? AND start_ns<?)"),
            (.newestFirst, "(type=? AND start_ns>? AND start_ns<?)"),
        ] {
            let query = SampleQuery(type: .heartRate, from: time, to: time, order: order)
            let conditions = try XCTUnwrap(
                SampleConditions(
                    query.selecting(RecordType?.some(.quantity(query.type))), after: position,
                    lookup))
            let bounds = conditions.sql.components(separatedBy: " AND ").filter {
                $0.hasPrefix("start_ns") || $0.hasPrefix("(start_ns, ")
            }
            XCTAssertEqual(bounds.count, 2, conditions.sql)
            let plan = try connection.prepare(
                "EXPLAIN QUERY PLAN SELECT * FROM sample WHERE \(conditions.sql)")
            var lines: [String] = []
            try plan.forEachRow { lines.append($0.text(at: 3) ?? "") }
            XCTAssertEqual(
                lines, ["SEARCH sample USING INDEX sample_type_start \(expected)"])
        }
    }

    func testQuery_usesTheIndexForBothEndsOfTheTime() async throws {
        let store = try await store([try heartRate(1)])
        _ = store
        let plan = try SQLiteConnection(path: path, access: .readOnly).prepare(
            """
            EXPLAIN QUERY PLAN SELECT * FROM sample
            WHERE type = 1 AND start_ns >= 1 AND (start_ns >= 2 OR start_ns + duration_ns > 2)
                AND start_ns < 9
            ORDER BY start_ns, sequence LIMIT 5
            """)
        var lines: [String] = []
        try plan.forEachRow { lines.append($0.text(at: 3) ?? "") }
        XCTAssertEqual(
            lines,
            [
                "SEARCH sample USING INDEX sample_type_start (type=? AND start_ns>? AND start_ns<?)",
                "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY",
            ])
    }

    func testQuery_ofADamagedRow_namesIt() async throws {
        let store = try await store([try heartRate(1), try heartRate(2)])
        for (damage, column) in [
            ("metadata = '{'", "metadata"), ("metadata = NULL, id = x'00'", "id"),
            ("id = zeroblob(16), value = 9e999", "value, unit, start_ns or end_ns"),
        ] {
            let row = SampleRows.home(of: try heartRate(2).id)
            try execute("UPDATE sample SET \(damage) WHERE sequence = \(row)")
            let error = await caught {
                _ = try await store.samples(matching: SampleQuery(type: .heartRate))
            }
            XCTAssertEqual(
                error as? SQLiteStoreError,
                .unreadable(table: "sample", row: row, column: column, path: path))
        }
    }

    func testQuery_ofAnUnknownUnit_namesIt() async throws {
        let store = try await store([try heartRate(1)])
        try execute("UPDATE unit SET name = 'furlong'")
        let error = await caught {
            _ = try await store.samples(matching: SampleQuery(type: .heartRate))
        }
        XCTAssertEqual(
            error as? SQLiteStoreError,
            .unreadable(table: "unit", row: 1, column: "name", path: path))
    }

    func testQuery_ofMetadataThatWouldBeRefusedToday_readsIt() async throws {
        // It was stored by a version that did not check the values of known keys.
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.sample(try heartRate(1, metadata: Metadata(["a": .number(1)])))])
        try execute("UPDATE sample SET metadata = '{\"HKMetadataKeySyncIdentifier\":7}'")
        let samples = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(samples.map { $0.metadata[MetadataKey.syncIdentifier.name] }, [.number(7)])
    }

    func testStatistics_ofNoSpan_areNone_whateverTheGap() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<3))
        var options = StatisticsOptions()
        options.gapLimitSeconds = .nan
        let none = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [], options: options)
        XCTAssertEqual(none, [])
        let all = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [instant(0)..<instant(3)], options: options)
        XCTAssertEqual(all.map(\.count), [3])
    }
}
