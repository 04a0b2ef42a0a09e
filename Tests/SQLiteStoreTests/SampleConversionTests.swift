import GatewayTesting
import HealthModel
import HealthStatistics
import Platform
import SQLite
import XCTest

@testable import SQLiteStore

/// A store of an earlier version is read as it is, and converted by the writer; nothing changes.
final class SampleConversionTests: CorrelationStoreTestCase {
    private struct Content: Equatable {
        var samples: [QuantityType: Set<QuantitySample>] = [:]
        var correlations: [Correlation] = []
        var statistics: [QuantityType: [Statistics]] = [:]
    }

    private static let types: [QuantityType] = [
        .heartRate, .stepCount, .bodyMass, .bloodPressureSystolic,
    ]

    private func content(_ store: SQLiteStore) async throws -> Content {
        var content = Content()
        let days = (0..<10).map { instant($0 * 200)..<instant(($0 + 1) * 200) }
        for type in Self.types {
            content.samples[type] = Set(
                try await store.samples(matching: SampleQuery(type: type)))
            content.statistics[type] = try await store.statistics(
                of: SampleQuery(type: type), in: days)
        }
        content.correlations = try await store.correlations(of: .bloodPressure)
        return content
    }

    private func samples(_ random: inout SeededGenerator) throws -> [QuantitySample] {
        let devices = [nil, Device(name: "a"), Device(localIdentifier: "b", serial: "7")]
        return try (0..<500).map { number in
            let type = Self.types[Int.random(in: 0..<3, using: &random)]
            let start = instant(Int.random(in: 0..<2_000, using: &random))
            let units = type == .bodyMass ? ["lb", "kg"] : [type.canonicalUnit.string]
            return try QuantitySample(
                id: .make(
                    start: start, device: "d", stream: type.name, key: UInt64(number)),
                type: type, start: start,
                end: start.adding(
                    nanoseconds: type == .stepCount ? .random(in: 1...1 << 36, using: &random) : 0),
                quantity: Quantity(
                    Double(Int.random(in: 1...200, using: &random)),
                    Unit(parsing: units[number % units.count])),
                person: [nil, "ada", "bob"][number % 3], device: devices[number % 3],
                source: number % 4 == 0 ? nil : SourceRevision(name: "s", version: "\(number % 2)"),
                metadata: number % 5 == 0
                    ? Metadata(["HKWasUserEntered": .boolean(true)]) : Metadata()
            )
        }
    }

    /// Writes a store of version 4 with samples of a present one.
    private func writeVersion4(_ store: String) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.migrate(
            applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(4)))
        let same = ["device", "source", "person", "type", "unit", "category", "correlation"]
            .map { "INSERT INTO \($0) SELECT * FROM present.\($0);" }
        try connection.execute(
            """
            ATTACH '\(store)' AS present;
            \(same.joined(separator: " "))
            INSERT INTO sample (
                id, type, start_ns, end_ns, value, unit, person, device, source, metadata)
            SELECT present.sample.id, type, start_ns, start_ns + duration_ns, value, unit, person,
                device, source, metadata
            FROM present.sample JOIN present.origin ON present.origin.id = origin
            ORDER BY value, start_ns;
            INSERT INTO member (correlation, sample)
            SELECT correlation, main.sample.sequence FROM present.member
            JOIN present.sample ON present.sample.sequence = present.member.sample
            JOIN main.sample ON main.sample.id = present.sample.id;
            """)
    }

    func testOpen_ofVersion4_changesNothing() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let present = "\(folder)/present.sqlite"
        let records =
            try samples(&random).map { Record.sample($0) }
            + [.correlation(try pressure(1, at: 100)), .correlation(try pressure(2, at: 300))]
        let expected: Content
        do {
            let store = try SQLiteStore(path: present)
            _ = try await store.save(records)
            expected = try await content(store)
        }
        try writeVersion4(present)
        let before = try await content(try SQLiteStore(readingFrom: path))
        XCTAssertEqual(before, expected, "seed \(seed)")
        let store = try SQLiteStore(path: path)
        let after = try await content(store)
        XCTAssertEqual(after, expected, "seed \(seed)")
        XCTAssertEqual(try integer("SELECT stored FROM tally"), 504)
        let outcome = try await store.save(records)
        XCTAssertEqual(outcome, SaveOutcome(stored: 0, alreadyStored: 502), "seed \(seed)")
        XCTAssertEqual(
            try SQLiteConnection(path: path, access: .readOnly).pragma("integrity_check"), "ok")
    }
}
