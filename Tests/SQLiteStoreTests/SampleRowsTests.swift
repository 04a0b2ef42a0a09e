import Foundation
import GatewayTesting
import HealthModel
import Platform
import SQLite
import XCTest

@testable import SQLiteStore

/// Tests of the numbers of rows, which are made of the ids of samples.
final class SampleRowsTests: StoreTestCase {
    /// Samples whose ids have one home.
    private func rivals(_ count: Int) throws -> [QuantitySample] {
        try (0..<count).map { number in
            try QuantitySample(
                id: RecordID(high: 5 << 16, low: UInt64(number) << 20), type: .heartRate,
                start: instant(number), end: instant(number),
                quantity: Quantity(Double(number), .countPerMinute))
        }
    }

    private func all(_ store: SQLiteStore) async throws -> [QuantitySample] {
        try await store.samples(matching: SampleQuery(type: .heartRate))
    }

    func testIDs_withOneHome_areAllStoredOnce() async throws {
        let store = try SQLiteStore(path: path)
        let samples = try rivals(50)
        XCTAssertEqual(Set(samples.map { SampleRows.home(of: $0.id) }).count, 1)
        for batch in [samples[..<3], samples[...], samples[10..<30]] {
            _ = try await store.save(batch.map { .sample($0) })
            let found = try await all(store)
            XCTAssertEqual(found, Array(samples.prefix(max(batch.endIndex, found.count))))
        }
        for sample in samples {
            let isThere = try await store.hasSample(sample.id)
            XCTAssertTrue(isThere)
        }
        let other = try await store.hasSample(RecordID(high: 5 << 16, low: 99 << 20))
        XCTAssertFalse(other)
        let again = try await store.save(samples.map { .sample($0) })
        XCTAssertEqual(again, SaveOutcome(stored: 0, alreadyStored: 50))
        XCTAssertEqual(try integer("SELECT stored FROM tally"), 50)
    }

    func testRemoved_homeIsGivenToADisplacedOne() async throws {
        let store = try SQLiteStore(path: path)
        let samples = try rivals(20)
        _ = try await store.save(samples.map { .sample($0) })
        let home = SampleRows.home(of: samples[0].id)
        for left in (0..<20).reversed() {
            try execute("DELETE FROM sample WHERE sequence = \(home)")
            XCTAssertEqual(try integer("SELECT count(*) FROM sample"), Int64(left))
            XCTAssertEqual(
                try integer("SELECT count(*) FROM displaced"), Int64(max(left - 1, 0)))
            let found = try await all(store)
            // Those that are there are known.
            let again = try await store.save(found.map { .sample($0) })
            XCTAssertEqual(again, SaveOutcome(stored: 0, alreadyStored: left))
        }
    }

    func testRemoved_displacedOne_isForgotten() async throws {
        let store = try SQLiteStore(path: path)
        let samples = try rivals(3)
        _ = try await store.save(samples.map { .sample($0) })
        try execute("DELETE FROM sample WHERE sequence < 0")
        XCTAssertEqual(try integer("SELECT count(*) FROM displaced"), 0)
        let again = try await store.save(samples.map { .sample($0) })
        XCTAssertEqual(again, SaveOutcome(stored: 2, alreadyStored: 1))
    }

    /// Only damage gives a row the lowest number there is.
    func testLowestNumber_ofADamagedFile_isRefused() async throws {
        let store = try SQLiteStore(path: path)
        let samples = try rivals(3)
        _ = try await store.save(samples[..<2].map { .sample($0) })
        try execute("UPDATE sample SET sequence = \(Int64.min) WHERE sequence < 0")
        let expected = SQLiteStoreError.unreadable(
            table: "sample", row: .min, column: "sequence", path: path)
        await assertThrows(expected) { _ = try await store.save([.sample(samples[2])]) }
    }

    func testHome_ofEveryID_isANumberOf56Bits() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let id = RecordID(high: random.next(), low: random.next())
            XCTAssertTrue((0..<1 << 56).contains(SampleRows.home(of: id)))
        }
    }

    func testHomes_ofOneStream_areInTheOrderOfTime() {
        let homes = (0..<1_000).map { number in
            SampleRows.home(
                of: .make(
                    start: instant(1_790_000_000 + number), device: "d", stream: "s",
                    key: UInt64(number)))
        }
        XCTAssertEqual(homes, homes.sorted())
    }

    /// The query of the manual, in the program of the manual.
    func testView_isReadByTheCommandOfSQLite() async throws {
        let tool = "/usr/bin/sqlite3"
        try XCTSkipUnless(
            FileManager.default.isExecutableFile(atPath: tool),
            "there is no \(tool); install the package sqlite3")
        let store = try SQLiteStore(path: path)
        _ = try await store.save([
            .sample(
                try heartRate(
                    7, person: "ada", device: Device(name: "H10"),
                    source: SourceRevision(name: "straps", version: "1"))),
            .sample(try heartRate(8)), .sample(try steps(1, from: 1, to: 2)),
        ])
        let output = Pipe()
        let command = Process()
        command.executableURL = URL(fileURLWithPath: tool)
        command.arguments = [
            path,
            "SELECT datetime(start_ns/1e9, 'unixepoch'), value, unit, person, device, source, id "
                + "FROM samples WHERE type = 'heartRate' ORDER BY start_ns DESC LIMIT 5",
        ]
        command.standardOutput = output
        try command.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        command.waitUntilExit()
        XCTAssertEqual(
            text,
            """
            1970-01-01 00:00:08|68.0|count/min||||00000000000000080000000000000001
            1970-01-01 00:00:07|67.0|count/min|ada|H10|straps|00000000000000070000000000000001

            """)
    }

    func testView_ofOneType_usesTheIndexByTime() async throws {
        _ = try SQLiteStore(path: path)
        let plan = try SQLiteConnection(path: path, access: .readOnly).prepare(
            """
            EXPLAIN QUERY PLAN SELECT start_ns, value FROM samples
            WHERE type = 'heartRate' AND start_ns >= 5 ORDER BY start_ns DESC LIMIT 5
            """)
        var lines: [String] = []
        try plan.forEachRow { lines.append($0.text(at: 3) ?? "") }
        XCTAssertTrue(
            lines.contains {
                $0.hasPrefix(
                    "SEARCH sample USING COVERING INDEX sample_type_start (type=? AND start")
            }, "\(lines)")
        XCTAssertFalse(lines.contains { $0.hasPrefix("USE TEMP B-TREE FOR ORDER BY") }, "\(lines)")
    }
}
