import Foundation
import GatewayCore
import HealthModel
import HealthStatistics
import Platform
import SQLiteStore

/// Measures a store of ten million samples: its size, inserts, queries, and how long a process that
/// reads and the sink that writes wait for each other.
struct LargeStoreBenchmark: Benchmark {
    let name = "large"
    let summary = "a store of ten million samples: inserts vs. an empty store, queries, waiting"

    private static let count = 10_000_000
    private static let fillSize = 10_000
    private static let batchSize = 1_000
    private static let batches = 100
    /// The samples of a commit while another process reads.
    private static let smallBatchSize = 20
    /// The time between two of these commits, which are 2,000 samples per second.
    private static let commitSeconds = 0.01
    private static let readerSeconds = 10
    private static let longestWait = 50.0

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let path = "\(context.folder)/large.sqlite"
        var strap = StrapRecords()
        let filling = try await Self.fill(path, &strap)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        var figures = [
            Figure("filling", "rows/s", filling.perSecond),
            Figure("size", "bytes/sample", Double(size) / Double(Self.count)),
        ]
        let sink = try await StoreSink.open(path, context)
        figures.append(try await Self.inserts(sink, &strap, context))
        figures += try await Self.queries(path, context)
        figures += try await Self.waits(sink, path, &strap, context)
        StoreSink.remove(path)
        return figures
    }

    /// Fills a store, with the statistics of hours.
    private static func fill(_ path: String, _ strap: inout StrapRecords) async throws -> Cost {
        let store = try SQLiteStore(path: path)
        var seconds = 0.0
        for _ in 0..<count / fillSize {
            let batch = try strap.next(fillSize)
            seconds += try await Meter.cost(of: fillSize) { _ = try await store.save(batch) }
                .seconds
        }
        while try await store.summariseNextHours() != nil {}
        try await store.checkpoint()
        return Cost(count: count, seconds: seconds, cpuSeconds: 0)
    }

    // MARK: Inserts

    /// Measures the sink with the large store, next to one whose store is empty.
    private static func inserts(
        _ sink: any Sink, _ strap: inout StrapRecords, _ context: BenchmarkContext
    ) async throws -> Figure {
        let emptyPath = "\(context.folder)/empty.sqlite"
        var turns = PairedMeasurements<Cost>()
        for _ in 0..<context.rounds.count {
            let next = try strap.batches(batches, of: batchSize)
            StoreSink.remove(emptyPath)
            let empty = try await StoreSink.open(emptyPath, context)
            turns.append(
                reference: try await write(next, to: empty), ours: try await write(next, to: sink))
        }
        StoreSink.remove(emptyPath)
        return Figure("rows", "rows/s", turns, goal: .ratio(.atLeast, 0.8)) { $0.perSecond }
    }

    private static func write(_ batches: [[Record]], to sink: any Sink) async throws -> Cost {
        try await Meter.cost(of: batches.count * batchSize) {
            for batch in batches { try await sink.write(batch) }
        }
    }

    // MARK: Queries

    private static func queries(
        _ path: String, _ context: BenchmarkContext
    ) async throws -> [Figure] {
        let store = try SQLiteStore(readingFrom: path)
        let query = SampleQuery(type: .heartRate)
        var day = query
        let newest = try await store.latestSample(matching: query)
        day.to = newest?.start.adding(nanoseconds: -86_400_000_000_000)
        day.from = day.to?.adding(nanoseconds: -86_400_000_000_000)
        var first = query
        first.limit = 1
        guard let oldest = try await store.samples(matching: first).first, let newest else {
            throw BenchmarkError("the store is empty")
        }
        let hours = StoreReader.hours(from: oldest.start, to: newest.end)
        var unsummarised = StatisticsOptions()
        unsummarised.gapLimitSeconds = 60
        return [
            try await figure("newest sample", context) {
                _ = try await store.latestSample(matching: query)
            },
            try await figure("samples of a day", context) {
                _ = try await store.samples(matching: day)
            },
            try await figure("averages of hours", context) {
                _ = try await store.statistics(of: query, in: hours)
            },
            try await figure("averages from samples", context) {
                _ = try await store.statistics(of: query, in: hours, options: unsummarised)
            },
        ]
    }

    private static func figure(
        _ name: String, _ context: BenchmarkContext, _ body: () async throws -> Void
    ) async throws -> Figure {
        var costs: [Cost] = []
        for _ in 0..<context.rounds.count { costs.append(try await Meter.cost(of: 1, body)) }
        return Figure(name, "ms", median(costs.map { $0.seconds * 1e3 }))
    }

    // MARK: Waiting

    /// Measures the longest commit of the sink and the longest query of another process, alone and at
    /// the same time; beside a long query, next to a process that is as busy without the store.
    private static func waits(
        _ sink: any Sink, _ path: String, _ strap: inout StrapRecords, _ context: BenchmarkContext
    ) async throws -> [Figure] {
        let alone = try await longestCommit(to: sink, &strap)
        let quiet = try await StoreReader.run(
            .short, path, seconds: readerSeconds, folder: context.folder
        ) { try await SystemClock().sleep(seconds: 0.1) }
        var commits: [StoreReader.Kind: Double] = [:]
        var queries: [StoreReader.Kind: Double] = [:]
        for kind in [StoreReader.Kind.short, .long, .busy] {
            var longest = 0.0
            let result = try await StoreReader.run(
                kind, path, seconds: readerSeconds, folder: context.folder
            ) { longest = max(longest, try await commit(to: sink, &strap)) }
            commits[kind] = longest * 1e3
            queries[kind] = result.longestSeconds * 1e3
        }
        let goal = Figure.Goal.value(.atMost, longestWait)
        return [
            Figure(
                "longest commit, reader", "ms", commits[.short] ?? .nan, reference: alone * 1e3,
                goal: goal),
            Figure(
                "longest commit, long query", "ms", commits[.long] ?? .nan,
                reference: commits[.busy], goal: goal),
            Figure(
                "longest query, writer", "ms", queries[.short] ?? .nan,
                reference: quiet.longestSeconds * 1e3, goal: goal),
            Figure("long query, writer", "ms", queries[.long] ?? .nan),
        ]
    }

    /// The longest commit of some seconds in which nobody reads.
    private static func longestCommit(
        to sink: any Sink, _ strap: inout StrapRecords
    ) async throws -> Double {
        var longest = 0.0
        let end = Meter.wallSeconds + Double(readerSeconds)
        while Meter.wallSeconds < end {
            longest = max(longest, try await commit(to: sink, &strap))
        }
        return longest
    }

    private static func commit(
        to sink: any Sink, _ strap: inout StrapRecords
    ) async throws -> Double {
        let batch = try strap.next(smallBatchSize)
        try await SystemClock().sleep(seconds: commitSeconds)
        return try await Meter.cost(of: batch.count) { try await sink.write(batch) }.seconds
    }
}
