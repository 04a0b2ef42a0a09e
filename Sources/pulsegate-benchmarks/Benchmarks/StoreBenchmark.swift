import Foundation
import GatewayCore
import HealthModel
import HealthStore
import JSON
import Platform
import SQLiteSink

/// Writes samples to the store.
struct StoreBenchmark: Benchmark {
    let name = "store"
    let about = "samples through the SQLite sink, beside a bare loop over a prepared statement"

    private static let batchSize = 1_000
    private static let batches = 100

    func run(_ setting: Setting) async throws -> [Figure] {
        var strap = StrapRecords()
        let batches = try strap.batches(Self.batches, of: Self.batchSize)
        let turns = try await setting.rounds.takeTurns {
            try bare(batches, setting)
        } ours: {
            try await ours(batches, setting)
        }
        return [
            Figure("rows", "rows/s", turns, goal: .ratio(.atLeast, 0.9)) { $0.perSecond },
            Figure("CPU", "us/row", turns, goal: .ratio(.atMost, 1.1)) { $0.cpuMicrosecondsEach },
        ]
    }

    private func ours(_ batches: [[Record]], _ setting: Setting) async throws -> Cost {
        let path = Self.freshPath(in: setting)
        let settings = ConfigurationNode(
            path: "sinks.store", value: .object(["use": .string("sqlite"), "path": .string(path)]))
        let context = ComponentContext(
            name: "store", clock: SystemClock(), log: Logger(component: "benchmark") { _ in },
            dataDirectory: setting.folder)
        let sink = try SQLiteSink.factory.make(
            try settings.object(keys: ["use"] + SQLiteSink.factory.keys), context)
        // The first batch opens the file; the bare loop has opened it before.
        try await sink.write([])
        return try await Meter.cost(of: Self.batches * Self.batchSize) {
            for batch in batches { try await sink.write(batch) }
        }
    }

    private func bare(_ batches: [[Record]], _ setting: Setting) throws -> Cost {
        let path = Self.freshPath(in: setting)
        _ = try HealthStore(path: path)
        let store = try BareStore(path: path)
        let cost = try Meter.cost(of: Self.batches * Self.batchSize) {
            for batch in batches { try store.write(batch) }
        }
        guard try store.rows == Int64(cost.count) else {
            throw BenchmarkError("the bare loop has not written all rows")
        }
        return cost
    }

    /// A path where no file of an earlier round is.
    private static func freshPath(in setting: Setting) -> String {
        let path = "\(setting.folder)/store.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        return path
    }
}
