import GatewayTesting
import HealthModel
import HealthStatistics
import HealthStore
import Platform
import XCTest

@testable import SQLiteStore

/// Statistics with summaries are those of the samples, whatever is stored and removed in whichever order.
final class SummaryRandomTests: StoreTestCase {
    private static let types: [QuantityType] = [
        .stepCount, .heartRate, .bodyMass, .environmentalAudioExposure,
    ]
    private static let devices = [nil, Device(name: "Watch"), Device(name: "Strap")]
    private static let day = 86_400

    /// The samples that the store must have.
    private struct Model {
        var samples: [QuantitySample] = []
        var nextID: UInt64 = 1
    }

    func testStatistics_areThoseOfTheSamples() async throws {
        var run = FuzzRun("summaries of a store", inputs: 12)
        var number = 0
        while var random = run.next() {
            number += 1
            let store = try SQLiteStore(path: "\(folder)/\(number).sqlite")
            var model = Model()
            for _ in 0..<Int.random(in: 2...8, using: &random) {
                try await change(store, &model, &random)
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    _ = try await store.summariseNextHours()
                }
                for problem in try await differences(store, model, &random) {
                    run.expect(false, problem)
                }
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    // MARK: Changes

    private func change(
        _ store: SQLiteStore, _ model: inout Model, _ random: inout SeededGenerator
    ) async throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !model.samples.isEmpty:
            let gone = model.samples.filter { _ in random.once(in: 4) }
            _ = try await store.delete(
                .records(gone.map(\.id), kinds: [.sample]), at: instant(0))
            let ids = Set(gone.map(\.id))
            model.samples.removeAll { ids.contains($0.id) }
        case 1:
            let start = instant(Int.random(in: 0..<3 * Self.day, using: &random))
            while try await store.removeNextBatch(beyond: Retention.Bounds(start: start)) > 0 {}
            model.samples.removeAll { $0.start < start }
        case 2:
            try await store.removeSummaries()
        case 3:
            try await replace(store, &model, &random)
        default:
            let new = try samples(&model, &random)
            model.samples += new
            _ = try await store.save(new.map(Record.sample))
        }
    }

    /// Saves later versions of some samples, with other times and values.
    private func replace(
        _ store: SQLiteStore, _ model: inout Model, _ random: inout SeededGenerator
    ) async throws {
        let old = model.samples.filter { _ in random.once(in: 3) }
        let new = try old.compactMap { sample -> QuantitySample? in
            guard let identifier = sample.metadata[.syncIdentifier],
                let version = sample.metadata[.syncVersion]
            else { return nil }
            var metadata = Metadata()
            try metadata.setSync(identifier: identifier, version: version + 1)
            let shift = Int64(Int.random(in: -Self.day...Self.day, using: &random)) * 1_000_000_000
            model.nextID += 1
            return try QuantitySample(
                id: RecordID(high: model.nextID, low: 7), type: sample.type,
                start: sample.start.adding(nanoseconds: shift),
                end: sample.end.adding(nanoseconds: shift),
                quantity: Quantity(
                    Double.random(in: 1...100, using: &random), sample.type.canonicalUnit),
                person: sample.person, device: Self.devices.randomElement(using: &random) ?? nil,
                metadata: metadata)
        }
        let replaced = Set(new.compactMap { $0.metadata[.syncIdentifier] })
        model.samples.removeAll { $0.metadata[.syncIdentifier].map(replaced.contains) ?? false }
        model.samples += new
        _ = try await store.save(new.map(Record.sample))
    }

    private func samples(
        _ model: inout Model, _ random: inout SeededGenerator
    ) throws -> [QuantitySample] {
        let type = Self.types.randomElement(using: &random) ?? .heartRate
        var start = Int.random(in: -Self.day..<4 * Self.day, using: &random)
        let step = [1, 30, 300, 599, 900, 5_000].randomElement(using: &random) ?? 1
        let people = [nil, "ada", "bob"].prefix(random.once(in: 3) ? 3 : 2)
        return try (0..<Int.random(in: 1...60, using: &random)).map { _ in
            start += random.once(in: 3) ? Int.random(in: -step...step, using: &random) : step
            let shortest = type.isCumulative ? 1 : 0
            let longest = random.once(in: 20) ? 2 * Self.day : random.once(in: 2) ? step : shortest
            let end = start + Int.random(in: shortest...max(shortest, longest), using: &random)
            model.nextID += 1
            var metadata = Metadata()
            if random.once(in: 4) {
                try metadata.setSync(identifier: "\(model.nextID)", version: 1)
            }
            return try QuantitySample(
                id: RecordID(high: model.nextID, low: 7), type: type, start: instant(start),
                end: instant(end),
                quantity: Quantity(Double.random(in: 1...100, using: &random), type.canonicalUnit),
                person: people.randomElement(using: &random) ?? nil,
                device: Self.devices.randomElement(using: &random) ?? nil, metadata: metadata)
        }
    }

    // MARK: Comparison

    private func differences(
        _ store: SQLiteStore, _ model: Model, _ random: inout SeededGenerator
    ) async throws -> [String] {
        var problems: [String] = []
        for type in Self.types {
            let spans = spans(&random)
            let person = [nil, "ada"].randomElement(using: &random) ?? nil
            let query = SampleQuery(type: type, person: person)
            let samples = model.samples.filter {
                $0.type == type && (person == nil || $0.person == person)
            }.sorted {
                // Of equal starts the order of the store counts.
                ($0.start, $0.end, $0.quantity.value) < ($1.start, $1.end, $1.quantity.value)
            }
            var options = StatisticsOptions()
            if random.once(in: 2) { options.rank = { $0.device?.name == "Watch" ? 0 : 1 } }
            // Small pages, so that most samples are read by lanes.
            let reading = StatisticsReading(
                pageSize: [1, 5, 16_384].randomElement(using: &random) ?? 1,
                laneCount: Int.random(in: 1...4, using: &random))
            let found = try await store.statistics(of: query, in: spans, options, reading)
            let expected = try spans.map {
                try Statistics(of: samples, type, in: $0, options: options)
            }
            problems += zip(found, expected).compactMap { Self.difference($0, $1) }
            options.rank = nil
            let byOrigin = try await store.statisticsByOrigin(
                of: query, in: spans, options, reading)
            for (origin, samples) in Dictionary(grouping: samples, by: SampleOrigin.init) {
                let expected = try spans.map { try Statistics(of: samples, type, in: $0) }
                guard expected.contains(where: { $0.count > 0 }) else { continue }
                guard let found = byOrigin[origin] else {
                    problems.append("no \(type.name) of \(origin)")
                    continue
                }
                problems += zip(found, expected).compactMap { Self.difference($0, $1) }
            }
        }
        return problems
    }

    private func spans(_ random: inout SeededGenerator) -> [Range<Instant>] {
        if random.once(in: 6) { return Self.calendarDays(from: -Self.day).map(span) }
        let length = [900, 3_600, 7_200, Self.day, 3 * Self.day].randomElement(using: &random) ?? 1
        let shift = random.once(in: 3) ? Int.random(in: 0..<3_600, using: &random) : 0
        let start = -Self.day + shift
        return (0..<6 * Self.day / length).map { number in
            instant(start + number * length)..<instant(start + (number + 1) * length)
        }
    }

    private func span(_ seconds: Range<Int>) -> Range<Instant> {
        instant(seconds.lowerBound)..<instant(seconds.upperBound)
    }

    /// Days of a calendar in which a clock is put forward and back again, in seconds.
    private static func calendarDays(from start: Int) -> [Range<Int>] {
        var start = start
        return [24, 23, 24, 25, 24, 24].map { hours in
            defer { start += hours * 3_600 }
            return start..<start + hours * 3_600
        }
    }

    private static func difference(_ found: Statistics, _ expected: Statistics) -> String? {
        let values: [(String, Double?, Double?)] = [
            ("count", Double(found.count), Double(expected.count)),
            ("seconds", found.seconds, expected.seconds),
            ("sum", found.sum?.value, expected.sum?.value),
            ("average", found.average?.value, expected.average?.value),
            ("minimum", found.minimum?.value, expected.minimum?.value),
            ("maximum", found.maximum?.value, expected.maximum?.value),
            (
                "end of the newest",
                (found.mostRecent?.end).map { Double($0.nanosecondsSince1970) },
                (expected.mostRecent?.end).map { Double($0.nanosecondsSince1970) }
            ),
        ]
        for (name, found, expected) in values where !isEqual(found, expected) {
            return """
                \(name) is \(found.map { "\($0)" } ?? "-"), not \(expected.map { "\($0)" } ?? "-")
                """
        }
        return nil
    }

    private static func isEqual(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one - other) <= 1e-9 * max(1, abs(other))
    }
}
