import GatewayTesting
import HealthModel
import HealthStatistics
import HealthStore
import Platform
import XCTest

@testable import SQLiteStore

/// The heartbeat series of stored intervals, in both stores.
final class StoredHeartbeatTests: CorrelationStoreTestCase {
    private func interval(
        _ number: Int, from start: Int64, milliseconds: Int64, person: String? = nil,
        device: Device? = nil
    ) throws -> QuantitySample {
        let start = Instant(nanosecondsSince1970: start * 1_000_000)
        return try QuantitySample(
            id: RecordID(high: UInt64(number), low: 60), type: .rrInterval, start: start,
            end: start.adding(nanoseconds: milliseconds * 1_000_000),
            quantity: Quantity(Double(milliseconds), .millisecond), person: person, device: device)
    }

    private func whole(_ seconds: Int) -> Range<Instant> { instant(0)..<instant(seconds) }

    func testSeries_endsAtAPause_andHasGaps() async throws {
        for store in try stores() {
            let samples = try [
                interval(1, from: 0, milliseconds: 1_000),
                interval(2, from: 1_000, milliseconds: 500),
                // After a gap.
                interval(3, from: 3_000, milliseconds: 800),
                // After a pause.
                interval(4, from: 700_000, milliseconds: 900),
            ]
            _ = try await store.save(samples.reversed().map { .sample($0) })
            let found = try await store.heartbeatSeries(in: whole(10_000))
            XCTAssertEqual(found.map(\.series.start), [instant(0), instant(700)])
            XCTAssertEqual(
                found.first?.series,
                try HeartbeatSeries(
                    start: instant(0),
                    beats: [(1, false), (1.5, false), (3, true), (3.8, false)].map {
                        HeartbeatSeries.Beat(secondsSinceStart: $0.0, isPrecededByGap: $0.1)
                    }))
            let joined = try await store.heartbeatSeries(in: whole(10_000), pauseSeconds: 1_000)
            XCTAssertEqual(joined.map(\.series), [try HeartbeatSeries(samples)])
            let apart = try await store.heartbeatSeries(in: whole(10_000), pauseSeconds: 1)
            XCTAssertEqual(apart.count, 3)
            // Those that start in the span.
            let some = try await store.heartbeatSeries(in: instant(1)..<instant(3))
            XCTAssertEqual(some.map(\.series.intervals), [[0.5]])
            let none = try await store.heartbeatSeries(in: instant(800)..<instant(900))
            XCTAssertEqual(none, [])
        }
    }

    func testSeries_areOfOnePersonAndDevice_andWhatDoesNotFitIsCounted() async throws {
        for store in try stores() {
            let strap = Device(name: "strap")
            let wrong = try QuantitySample(
                id: RecordID(high: 9, low: 60), type: .rrInterval, start: instant(5),
                end: instant(6), quantity: Quantity(700, .millisecond), person: "ada",
                device: strap)
            let samples = try [
                interval(1, from: 0, milliseconds: 1_000, person: "ada", device: strap),
                interval(2, from: 100, milliseconds: 900, person: "ada"),
                interval(3, from: 200, milliseconds: 900, person: "eve", device: strap),
                interval(4, from: 500, milliseconds: 900, person: "ada", device: strap),
                wrong,
            ]
            _ = try await store.save(samples.map { .sample($0) })
            let found = try await store.heartbeatSeries(in: whole(60))
            XCTAssertEqual(found.map(\.person), ["ada", "ada", "eve"])
            XCTAssertEqual(found.map(\.device), [strap, nil, strap])
            XCTAssertEqual(found.map(\.omittedCount), [2, 0, 0])
            let own = try await store.heartbeatSeries(in: whole(60), matching: .person("eve"))
            XCTAssertEqual(own.map(\.series.intervals), [[0.9]])
        }
    }

    /// More than are read at a time, several with the same start.
    func testManyIntervals_areAllInTheSeries() async throws {
        let strap = Device(name: "strap")
        var records: [Record] = []
        for number in 0..<12_000 {
            for device in [nil, strap] {
                records.append(
                    .sample(
                        try interval(
                            2 * number + (device == nil ? 0 : 1), from: Int64(number) * 1_000,
                            milliseconds: 1_000, device: device)))
            }
        }
        for store in try stores() {
            _ = try await store.save(records)
            let found = try await store.heartbeatSeries(in: whole(100_000))
            XCTAssertEqual(found.map(\.series.beats.count), [12_000, 12_000])
            XCTAssertEqual(found.map(\.omittedCount), [0, 0])
        }
    }

    func testStores_answerAlike() async throws {
        for seed in 1...UInt64(5 * min(FuzzFactor.current, 20)) {
            var random = SeededGenerator(seed: seed)
            let (memory, file) = (
                InMemoryStore(), try SQLiteHealthStore(opening: folder + "/\(seed).sqlite")
            )
            var time: Int64 = 0
            let records = try (0..<200).map { number -> Record in
                time += Int64.random(in: -200...2_500, using: &random)
                let long = Int.random(in: 0..<30, using: &random) == 0
                if long { time += 700_000 }
                return .sample(
                    try interval(
                        number, from: max(time, 0),
                        milliseconds: Int64.random(in: 300...1_500, using: &random),
                        person: [nil, "ada"][number % 2]))
            }
            _ = await memory.save(records)
            _ = try await file.save(records)
            let expected = try await memory.heartbeatSeries(in: whole(1_000_000))
            let found = try await file.heartbeatSeries(in: whole(1_000_000))
            XCTAssertFalse(found.isEmpty)
            XCTAssertEqual(found, expected, "seed \(seed)")
        }
    }
}
