import GatewayCore
import HealthModel
import SQLiteStore

/// Measures writing samples to the store.
struct StoreBenchmark: Benchmark {
    let name = "store"
    let summary = "samples through the SQLite sink, vs. a bare loop over a prepared statement"

    private static let batchSize = 1_000
    private static let batches = 100

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        var strap = StrapRecords()
        let batches = try strap.batches(Self.batches, of: Self.batchSize)
        let turns = try await context.rounds.alternate {
            try bare(batches, context)
        } ours: {
            try await ours(batches, context)
        }
        return [
            Figure("rows", "rows/s", turns, goal: .ratio(.atLeast, 0.9)) { $0.perSecond },
            Figure("CPU", "us/row", turns, goal: .ratio(.atMost, 1.1)) { $0.cpuMicrosecondsEach },
        ]
    }

    private func ours(_ batches: [[Record]], _ context: BenchmarkContext) async throws -> Cost {
        let path = Self.freshPath(in: context)
        // The first batch opens the file, which the reference does before measuring too.
        let sink = try await StoreSink.open(path, context)
        return try await Meter.cost(of: Self.batches * Self.batchSize) {
            for batch in batches { try await sink.write(batch) }
        }
    }

    private func bare(_ batches: [[Record]], _ context: BenchmarkContext) throws -> Cost {
        let path = Self.freshPath(in: context)
        _ = try SQLiteStore(path: path)
        let store = try BareStore(path: path)
        let cost = try Meter.cost(of: Self.batches * Self.batchSize) {
            for batch in batches { try store.write(batch) }
        }
        guard try store.rows == Int64(cost.count) else {
            throw BenchmarkError("the bare loop did not write all rows")
        }
        return cost
    }

    /// Removes the files of earlier rounds and returns their path.
    private static func freshPath(in context: BenchmarkContext) -> String {
        let path = "\(context.folder)/store.sqlite"
        StoreSink.remove(path)
        return path
    }
}
