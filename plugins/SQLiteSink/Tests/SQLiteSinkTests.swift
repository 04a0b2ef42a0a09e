import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import JSON
import Platform
import SQLite
import SQLiteStore
import XCTest

@testable import SQLiteSink

final class SQLiteSinkTests: XCTestCase {
    private func makeSink(
        _ settings: JSONValue, in folder: TemporaryFolder
    ) throws -> any Sink {
        let node = ConfigurationNode(path: "sinks.store", value: settings)
        let context = ComponentContext(
            name: "store", clock: ManualClock(), log: Logger(component: "test") { _ in },
            dataDirectory: folder.path)
        let object = try node.object(keys: ["use"] + SQLiteSink.factory.keys)
        return try SQLiteSink.factory.make(object, context)
    }

    private func records(_ count: Int) throws -> [Record] {
        try (0..<count).map { index in
            let now = Instant(nanosecondsSince1970: Int64(index) * 1_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: now, device: "d", stream: "s", key: UInt64(index)),
                    type: .heartRate, start: now, end: now, quantity: Quantity(72, .countPerMinute))
            )
        }
    }

    func testWrite_keepsEachRecordOnce_atThePathInTheDataFolder() async throws {
        let folder = try TemporaryFolder()
        let sink = try makeSink(.object(["use": .string("sqlite")]), in: folder)
        try await sink.write(records(10))
        try await sink.write(records(12))
        let store = try SQLiteStore(readingFrom: folder.path("health.sqlite"))
        let count = try await store.count(of: .heartRate)
        XCTAssertEqual(count, 12)
    }

    func testWrite_ofACorrelationWithASampleOfAnotherPerson_rejectsThisOneByName() async throws {
        let folder = try TemporaryFolder()
        let sink = try makeSink(.object(["use": .string("sqlite")]), in: folder)
        let now = Instant(nanosecondsSince1970: 0)
        let later = Instant(nanosecondsSince1970: 1)
        func meal(_ number: UInt64, _ person: String) throws -> Record {
            let energy = try QuantitySample(
                id: RecordID(high: 9, low: 9), type: .dietaryEnergyConsumed, start: now, end: later,
                quantity: Quantity(640, .kilocalorie), person: person)
            return .correlation(
                try Correlation(
                    id: RecordID(high: number, low: 7), type: .food, start: now, end: later,
                    samples: [.quantity(energy)], person: person))
        }
        do {
            try await sink.write([meal(1, "ada"), meal(2, "bob")] + records(1))
            XCTFail("the write worked")
        } catch SinkError.rejected(let ids, let reason) {
            XCTAssertEqual(ids, [RecordID(high: 2, low: 7)])
            XCTAssertEqual(
                reason,
                "the correlation \(RecordID(high: 2, low: 7)) has a sample with the id of a stored "
                    + "sample of another person or type; give the sample an id of its own")
        }
        let others = try await count(folder.path("health.sqlite"))
        XCTAssertEqual(others, 1)
    }

    private func count(_ path: String) async throws -> Int {
        try await SQLiteStore(readingFrom: path).count(of: .heartRate)
    }

    func testWrite_whenTheFileWasMovedAway_completesItAndContinuesInANewOne() async throws {
        // With or without its log, which belongs to the moved file.
        for suffixes in [["", "-wal", "-shm"], [""]] {
            let folder = try TemporaryFolder()
            let sink = try makeSink(.object(["use": .string("sqlite")]), in: folder)
            try await sink.write(records(10))
            try folder.makeFolder("away")
            for suffix in suffixes {
                rename(
                    folder.path("health.sqlite\(suffix)"),
                    folder.path("away/health.sqlite\(suffix)"))
            }
            try await sink.write(Array(records(15).dropFirst(10)))
            let moved = try await count(folder.path("away/health.sqlite"))
            let new = try await count(folder.path("health.sqlite"))
            XCTAssertEqual([moved, new], [10, 5], "\(suffixes)")
        }
    }

    func testWrite_whenTheMovedFileIsBeingRead_triesAgainAndLosesNothing() async throws {
        let folder = try TemporaryFolder()
        let sink = try makeSink(.object(["use": .string("sqlite")]), in: folder)
        try await sink.write(records(10))
        let reader = try SQLiteConnection(path: folder.path("health.sqlite"), access: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM sample")
        try await sink.write(Array(records(12).dropFirst(10)))
        rename(folder.path("health.sqlite"), folder.path("away.sqlite"))
        do {
            try await sink.write(Array(records(15).dropFirst(12)))
            XCTFail("the write worked")
        } catch SinkError.retry {
        }
        try reader.execute("COMMIT")
        try await sink.write(Array(records(15).dropFirst(12)))
        let moved = try await count(folder.path("away.sqlite"))
        let new = try await count(folder.path("health.sqlite"))
        XCTAssertEqual([moved, new], [12, 3])
    }

    func testWrite_whenTheFileComesBack_keepsWhatItHad() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("health.sqlite")
        let sink = try makeSink(.object(["use": .string("sqlite")]), in: folder)
        try await sink.write(records(10))
        rename(path, folder.path("away.sqlite"))
        try await sink.write(Array(records(15).dropFirst(10)))
        rename(folder.path("away.sqlite"), path)
        try await sink.write(Array(records(18).dropFirst(15)))
        let kept = try await count(path)
        XCTAssertEqual(kept, 13)
    }

    func testWrite_whenTheFileCannotBeOpened_holdsAndOpensItLater() async throws {
        let folder = try TemporaryFolder()
        let sink = try makeSink(
            .object(["use": .string("sqlite"), "path": .string("missing/health.sqlite")]),
            in: folder)
        do {
            try await sink.write(records(1))
            XCTFail("the write worked")
        } catch SinkError.blocked(let reason) {
            XCTAssertTrue(reason.hasPrefix(folder.path("missing/health.sqlite")), reason)
        }
        try folder.makeFolder("missing")
        try await sink.write(records(1))
    }

    func testWrite_whenTheFileIsNoDatabase_holds() async throws {
        let folder = try TemporaryFolder()
        let text = Array(repeating: UInt8(ascii: "x"), count: 5_000)
        try folder.write(text, to: "health.sqlite")
        let sink = try makeSink(.object(["use": .string("sqlite")]), in: folder)
        do {
            try await sink.write(records(1))
            XCTFail("the write worked")
        } catch SinkError.blocked {
        }
    }

    func testFactory_readsItsSettingsStrictly() throws {
        let folder = try TemporaryFolder()
        let wrong: [(String, JSONValue)] = [
            ("path", .number(5)), ("file", .string("x")), ("path", .string("journal")),
        ]
        for (key, value) in wrong {
            let settings = JSONValue.object(["use": .string("sqlite"), key: value])
            XCTAssertThrowsError(try makeSink(settings, in: folder), key)
        }
    }
}
