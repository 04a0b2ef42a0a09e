import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import SQLite
import SQLiteStore
import XCTest

/// The command on a store that is damaged, and many of it on one that is written.
final class StoreTests: XCTestCase {
    private static func records(_ numbers: Range<Int>) throws -> [Record] {
        try numbers.map { number in
            let time = Instant(
                nanosecondsSince1970: 1_767_225_600_000_000_000 + Int64(number) * 1_000_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: time, device: "d", stream: "s", key: UInt64(number)),
                    type: .heartRate, start: time, end: time,
                    quantity: Quantity(60, .countPerMinute)))
        }
    }

    /// Makes a store whose index of times is damaged, and answers with its path and its bytes.
    private func damagedStore(in folder: String, of home: Home) async throws -> (String, [UInt8]) {
        let path = try home.folder.makeFolder(folder) + "/health.sqlite"
        var page = 0
        do {
            let store = try SQLiteStore(path: path)
            _ = try await store.save(Self.records(0..<2_000))
            try await store.checkpoint()
            let root = try SQLiteConnection(path: path, access: .readOnly).prepare(
                "SELECT rootpage FROM sqlite_master WHERE name = 'sample_type_start'")
            XCTAssertTrue(try root.step())
            page = Int(root.integer(at: 0))
        }
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for offset in 0..<8 { bytes[(page - 1) * 4_096 + offset] ^= 0x5a }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return (path, bytes)
    }

    func testQueryAndCheck_ofADamagedStore_nameTheFileAndTheRemedy() async throws {
        let home = try Home()
        let (path, bytes) = try await damagedStore(in: "data/pulsegate", of: home)
        let query = try await home.run("query", "heartRate")
        XCTAssertEqual(query.ending, .exited(1), query.error)
        XCTAssertEqual(query.output, "")
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78), check.error)
        XCTAssertTrue(check.error.contains("sinks.store.path"), check.error)
        for error in [query.error, check.error] {
            XCTAssertTrue(error.contains("sqlite3 \(path) .recover"), error)
            XCTAssertEqual(error.split(separator: "\n").count, 1, error)
        }
        XCTAssertEqual([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), bytes)
    }

    func testRun_withADamagedStore_keepsEverythingUntilItIsMovedAway() async throws {
        let home = try Home()
        let (path, bytes) = try await damagedStore(in: "data/pulsegate/simulation", of: home)
        let outcome = try await home.run(
            "run", "--simulate", until: #""type":"heartRate""#, count: 2)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let lines = outcome.error.split(separator: "\n").filter { $0.contains("quick_check") }
        XCTAssertEqual(lines.count, 1, outcome.error)
        XCTAssertTrue(
            lines.first?.contains("cannot write; retrying reason=\"\(path): ") ?? false,
            outcome.error)
        XCTAssertEqual([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), bytes)
        let shown = outcome.output.split(separator: "\n").count { $0.contains("heartRate") }
        XCTAssertGreaterThan(shown, 0)

        rename(path, home.folder.path("away.sqlite"))
        let next = try await home.run("run", "--simulate", "--for", "1")
        XCTAssertEqual(next.ending, .exited(0), next.error)
        let shownNext = next.output.split(separator: "\n").count { $0.contains("heartRate") }
        let stored = try await Home.samples(of: .heartRate, inStoreAt: path)
        XCTAssertEqual(stored.count, shown + shownNext)
    }

    func testManyQueries_whileTheStoreIsWritten_allWork() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        let store = try SQLiteStore(path: "\(home.dataDirectory)/health.sqlite")
        _ = try await store.save(Self.records(0..<100))
        let counts = try await withThrowingTaskGroup(of: [Int].self) { group in
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            group.addTask {
                // A batch for every query that has ended.
                var batch = 1
                for await _ in asked {
                    for _ in 0..<20 {
                        _ = try await store.save(Self.records(batch * 100..<(batch + 1) * 100))
                        _ = try await store.truncateLog()
                        batch += 1
                    }
                    if batch > 400 { break }
                }
                return []
            }
            for _ in 0..<4 {
                group.addTask {
                    var counts: [Int] = []
                    for _ in 0..<6 {
                        let outcome = try await home.run("query", "heartRate", "--format", "ndjson")
                        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
                        XCTAssertEqual(outcome.error, "")
                        counts.append(outcome.output.split(separator: "\n").count)
                        ask.yield()
                    }
                    return counts
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for counts in counts { XCTAssertEqual(counts, counts.sorted()) }
    }
}
