import Glibc
import HealthModel
import HealthStatistics
import HourSummaries
import Platform
import SQLite

/// A connection that reads samples for statistics on a thread of its own, from the state that the file
/// had when it was opened.
actor StatisticsLane {
    private nonisolated let executor = CallerRunsExecutor(label: "SQLiteReader")
    private let connection: SQLiteConnection
    private let lookup: RowLookup

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the file and begins a read transaction, which ends with the lane.
    init(_ path: String, access: SQLiteConnection.Access) throws {
        connection = try SQLiteStore.reader(path, access: access)
        try EarlierSamples.show(in: connection)
        lookup = try RowLookup(connection)
        // A transaction begins with its first read.
        try connection.execute("BEGIN; SELECT 1 FROM type LIMIT 1")
    }

    /// Reads the samples of a chunk and returns the parts of each span by origin.
    func parts(of chunk: SampleChunk) throws -> [SampleOrigin?: [StatisticsPart]] {
        try Task.checkCancellation()
        var totals = chunk.totals
        let reader = StatisticsReader(connection, lookup, chunk.query.type)
        _ = try reader.add(chunk.query, to: &totals)
        return totals.parts()
    }
}

/// How statistics read many samples.
struct StatisticsReading: Sendable {
    /// The number of chunks for each lane, so that all lanes have work to the end.
    private static let chunksOfLane = 4

    /// The number of rows that are read without giving others a turn: some milliseconds.
    var pageSize = 16_384
    /// The maximum number of lanes that read at the same time.
    var laneCount = min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

    /// Divides spans into neighbours that are read together; nil when that is not worthwhile.
    ///
    /// - Parameter overlap: The time before and after a chunk whose samples count for it, in
    ///   nanoseconds.
    func chunks(of spans: [Range<Instant>], overlap: Int64) -> [Range<Int>]? {
        guard laneCount > 1, let first = spans.first, let last = spans.last else { return nil }
        let whole = last.upperBound.nanoseconds(since: first.lowerBound)
        let fitting = Int(whole / max(1, overlap))
        let count = min(spans.count, laneCount * Self.chunksOfLane, fitting)
        guard count > 1 else { return nil }
        return (0..<count).map { spans.count * $0 / count..<spans.count * ($0 + 1) / count }
    }
}

extension SQLiteStore {
    /// How often lanes are opened again when the file has changed meanwhile.
    private static let laneAttempts = 3

    /// Opens lanes that read the same state of the file; nil when others write too often.
    func openLanes(_ count: Int) throws -> [StatisticsLane]? {
        let access: SQLiteConnection.Access =
            connection.access == .immutable ? .immutable : .readOnly
        for _ in 0..<Self.laneAttempts {
            // It changes with each commit of other connections; this one commits nothing meanwhile.
            let version = try connection.pragma("data_version")
            let lanes = try (0..<count).map { _ in
                try StatisticsLane(connection.path, access: access)
            }
            if try connection.pragma("data_version") == version { return lanes }
        }
        return nil
    }
}

extension [StatisticsLane] {
    /// Reads chunks at the same time, each with the next lane that is free, and returns the results in
    /// their order.
    func parts(
        of chunks: [SampleChunk]
    ) async throws -> [[SampleOrigin?: [StatisticsPart]]] {
        typealias Parts = [SampleOrigin?: [StatisticsPart]]
        return try await withThrowingTaskGroup(of: (Int, StatisticsLane, Parts).self) { group in
            var results = [Parts](repeating: [:], count: chunks.count)
            var next = 0
            func start(_ lane: StatisticsLane) {
                guard next < chunks.count else { return }
                let (number, chunk) = (next, chunks[next])
                next += 1
                group.addTask { (number, lane, try await lane.parts(of: chunk)) }
            }
            forEach(start)
            while let (number, lane, parts) = try await group.next() {
                results[number] = parts
                start(lane)
            }
            return results
        }
    }
}
