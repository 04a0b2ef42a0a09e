import Foundation
import HealthModel
import HealthStatistics
import SQLiteStore

/// Measures queries of a store with a year of heart rates, one every four seconds.
struct QueryBenchmark: Benchmark {
    let name = "query"
    let summary = "a year of heart rates: daily averages, newest, one day, vs. SQL on the same file"

    private static let dayCount = 365
    private static let secondsBetween: Int64 = 4
    private static let batchSize = 10_000
    private static let start = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)
    private static let dayNanoseconds: Int64 = 86_400_000_000_000

    private static var days: [Range<Instant>] {
        (0..<dayCount).map { day in
            start.adding(
                nanoseconds: Int64(day) * dayNanoseconds)..<start.adding(
                    nanoseconds: Int64(day + 1) * dayNanoseconds)
        }
    }

    private static var count: Int {
        dayCount * Int(dayNanoseconds / 1_000_000_000 / secondsBetween)
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let path = "\(context.folder)/year.sqlite"
        try await Self.fill(path)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let store = try SQLiteStore(readingFrom: path)
        let bare = try BareDatabase(path: path)
        let averages = try await context.rounds.alternate {
            try Meter.cost(of: Self.count) { try bare.execute(Self.averages) }
        } ours: {
            try await Meter.cost(of: Self.count) { try await Self.average(store) }
        }
        let newest = try await context.rounds.alternate {
            try Meter.cost(of: 1) { try bare.execute(Self.newest) }
        } ours: {
            try await Meter.cost(of: 1) {
                guard try await store.latestSample(matching: Self.query) != nil
                else { throw BenchmarkError("there is no newest sample") }
            }
        }
        let day = try await context.rounds.alternate {
            try Meter.cost(of: 1) { try bare.execute(Self.day) }
        } ours: {
            try await Meter.cost(of: 1) { _ = try await store.samples(matching: Self.dayQuery) }
        }
        let (summarising, summarised) = try await Self.summaries(of: path, context)
        let both = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return [
            Figure("daily averages", "s", averages, goal: .value(.atMost, 1.5)) { $0.seconds },
            Figure("newest sample", "ms", newest, goal: .value(.atMost, 1)) { $0.seconds * 1e3 },
            Figure("samples of a day", "ms", day, goal: .value(.atMost, 100)) { $0.seconds * 1e3 },
            Figure(
                "size", "bytes/sample", Double(size) / Double(Self.count),
                goal: .value(.atMost, 80)),
            Figure("summarising", "ns/sample", summarising) { $0.nanosecondsEach },
            Figure(
                "daily averages from summaries", "ms", summarised, goal: .value(.atMost, 50)
            ) { $0.seconds * 1e3 },
            Figure(
                "size of summaries", "bytes/sample", Double(both - size) / Double(Self.count)),
        ]
    }

    private static func average(_ store: SQLiteStore) async throws {
        let days = try await store.statistics(of: query, in: days)
        guard days.count == dayCount, days.allSatisfy({ $0.average != nil })
        else { throw BenchmarkError("a day has no average") }
    }

    /// Measures the calculation of the summaries, and averages from them.
    private static func summaries(
        of path: String, _ context: BenchmarkContext
    ) async throws -> (PairedMeasurements<Cost>, PairedMeasurements<Cost>) {
        let store = try SQLiteStore(path: path)
        let bare = try BareDatabase(path: path)
        let summarising = try await context.rounds.alternate {
            try Meter.cost(of: count) { try bare.execute(averages) }
        } ours: {
            try await store.removeSummaries()
            return try await Meter.cost(of: count) {
                while try await store.summariseNextHours() != nil {}
            }
        }
        try await store.checkpoint()
        let summarised = try await context.rounds.alternate {
            try Meter.cost(of: count) { try bare.execute(hours) }
        } ours: {
            try await Meter.cost(of: count) { try await average(store) }
        }
        return (summarising, summarised)
    }

    // MARK: The store

    private static func fill(_ path: String) async throws {
        let store = try SQLiteStore(path: path)
        let strap = Device(
            name: "Polar H10 8A2F", manufacturer: "Polar Electro Oy", model: "H10",
            localIdentifier: "D0:11:22:33:44:55")
        let source = SourceRevision(name: "straps", version: "1.0.0")
        for first in stride(from: 0, to: count, by: batchSize) {
            let batch = try (first..<min(first + batchSize, count)).map { number in
                let time = start.adding(nanoseconds: Int64(number) * secondsBetween * 1_000_000_000)
                return Record.sample(
                    try QuantitySample(
                        id: .make(
                            start: time, device: "D0:11:22:33:44:55", stream: "heartRate",
                            key: UInt64(number)),
                        type: .heartRate, start: time, end: time,
                        quantity: Quantity(Double(50 + number % 101), .countPerMinute),
                        person: "ada", device: strap, source: source))
            }
            _ = try await store.save(batch)
        }
        try await store.checkpoint()
    }

    // MARK: The queries

    private static var query: SampleQuery { SampleQuery(type: .heartRate) }

    private static var dayQuery: SampleQuery {
        var query = query
        query.from = days[100].lowerBound
        query.to = days[100].upperBound
        return query
    }

    private static let type = "(SELECT id FROM type WHERE name = 'heartRate')"

    /// Without weights, which SQL has no function for.
    private static let averages = """
        SELECT (start_ns - \(start.nanosecondsSince1970)) / \(dayNanoseconds) AS day,
            count(*), avg(value), min(value), max(value)
        FROM sample WHERE type = \(type) GROUP BY day
        """

    private static let hours = """
        SELECT hour / 24 AS day, sum(started), sum(integral) / sum(seconds), min(minimum),
            max(maximum)
        FROM summary WHERE type = \(type) GROUP BY day
        """

    private static let newest =
        "SELECT * FROM sample WHERE type = \(type) ORDER BY start_ns DESC LIMIT 1"

    private static var day: String {
        """
        SELECT * FROM sample WHERE type = \(type)
        AND start_ns >= \(days[100].lowerBound.nanosecondsSince1970)
        AND start_ns < \(days[100].upperBound.nanosecondsSince1970)
        """
    }
}
