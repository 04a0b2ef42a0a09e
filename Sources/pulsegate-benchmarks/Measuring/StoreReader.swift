import Foundation
import GatewayCore
import HealthModel
import HealthStatistics
import Platform
import SQLiteStore

/// A process that queries a store while another one writes to it.
enum StoreReader {
    /// The first word of the process's arguments; a kind, the path and the seconds follow.
    static let argument = "--store-reader"

    /// What the process asks for, again and again.
    enum Kind: String {
        /// The newest sample, and the samples of the last hour.
        case short
        /// The averages of all hours, calculated from samples.
        case long
        /// Nothing: as many threads as a long query has calculate without the store.
        case busy
    }

    /// The number of queries and the time of the longest one.
    struct Result: Codable {
        var count = 0
        var longestSeconds = 0.0
    }

    /// Starts the process, and calls a body again and again until it ends; returns its result.
    static func run(
        _ kind: Kind, _ path: String, seconds: Int, folder: String,
        during body: () async throws -> Void
    ) async throws -> Result {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let (output, error) = ("\(folder)/reader-output", "\(folder)/reader-error")
        let process = try MeasuredProcess(
            [own, argument, kind.rawValue, path, "\(seconds)"], output: output, error: error)
        while process.isRunning { try await body() }
        let text = try Data(contentsOf: URL(fileURLWithPath: output))
        guard let result = try? JSONDecoder().decode(Result.self, from: text) else {
            let error = try String(contentsOfFile: error, encoding: .utf8)
            throw BenchmarkError("the reader failed: \(error)")
        }
        return result
    }

    /// Queries the store for some seconds and prints the result; in the process of its own.
    static func run(_ words: [String]) async throws {
        guard words.count == 3, let kind = Kind(rawValue: words[0]), let seconds = Double(words[2])
        else { throw BenchmarkError("\(argument): expected a kind, a path and seconds") }
        let store = try SQLiteStore(readingFrom: words[1])
        let pool = TaskPool(name: "pool")
        let result = try await withTaskExecutorPreference(pool) {
            try await query(store, kind, until: Meter.wallSeconds + seconds)
        }
        FileHandle.standardOutput.write(try JSONEncoder().encode(result))
    }

    private static func query(
        _ store: SQLiteStore, _ kind: Kind, until end: Double
    ) async throws -> Result {
        var result = Result()
        while result.count == 0 || Meter.wallSeconds < end {
            let start = Meter.wallSeconds
            switch kind {
            case .short: try await newest(store)
            case .long: try await averages(store)
            case .busy: await calculate(until: end)
            }
            result.count += 1
            result.longestSeconds = max(result.longestSeconds, Meter.wallSeconds - start)
        }
        return result
    }

    private static func calculate(until end: Double) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<TaskPool.defaultCount {
                group.addTask { while Meter.wallSeconds < end {} }
            }
        }
    }

    private static func newest(_ store: SQLiteStore) async throws {
        var query = SampleQuery(type: .heartRate)
        guard let newest = try await store.latestSample(matching: query) else {
            throw BenchmarkError("there is no newest sample")
        }
        query.from = newest.start.adding(nanoseconds: -3_600_000_000_000)
        guard try await !store.samples(matching: query).isEmpty else {
            throw BenchmarkError("there are no samples of the last hour")
        }
    }

    private static func averages(_ store: SQLiteStore) async throws {
        let query = SampleQuery(type: .heartRate)
        var oldest = query
        oldest.limit = 1
        guard let first = try await store.samples(matching: oldest).first?.start,
            let last = try await store.latestSample(matching: query)?.end
        else { throw BenchmarkError("there is no sample") }
        // No statistics of hours are stored for this gap.
        var options = StatisticsOptions()
        options.gapLimitSeconds = 60
        _ = try await store.statistics(
            of: query, in: hours(from: first, to: last), options: options)
    }

    /// The whole hours from that of a time until that of another one.
    static func hours(from first: Instant, to last: Instant) -> [Range<Instant>] {
        let hour: Int64 = 3_600_000_000_000
        let numbers = first.nanosecondsSince1970 / hour...last.nanosecondsSince1970 / hour
        return numbers.map {
            Instant(
                nanosecondsSince1970: $0 * hour)..<Instant(
                    nanosecondsSince1970: ($0 + 1) * hour)
        }
    }
}
