import Foundation
import GatewayCore
import JournalLog
import Platform

/// Measures appending lines to the journal.
struct JournalBenchmark: Benchmark {
    let name = "journal"
    let summary =
        "lines into the journal, vs. the same bytes in rows of 1,000 lines into a plain file"

    /// The number of lines in one read of a fast stream.
    private static let appendCount = 100
    private static let rowCount = 1_000
    private static let rows = 200
    private static let lines = rowCount * rows

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        var strap = StrapRecords()
        let batch = RecordBatch(try strap.next(Self.appendCount)).lines
        let row = [[UInt8]](repeating: batch.bytes, count: Self.rowCount / Self.appendCount)
            .flatMap { $0 }
        let turns = try await context.rounds.alternate {
            try bare(row, context)
        } ours: {
            try await ours(batch, context)
        }
        return [
            Figure("lines", "lines/s", turns, goal: .ratio(.atLeast, 0.3)) { $0.perSecond },
            Figure("CPU", "us/line", turns) { $0.cpuMicrosecondsEach },
        ]
    }

    private func ours(_ batch: RecordLines, _ context: BenchmarkContext) async throws -> Cost {
        let path = try Self.freshPath(in: context)
        let journal = try Journal(
            file: LogJournalFile(path: path, durability: .crash), sinks: [String](),
            clock: SystemClock(), log: Logger(component: "benchmark") { _ in })
        var addition = Ledger.Ingest()
        addition.converted = Int64(batch.count)
        addition.published = Int64(batch.count)
        let cost = await Meter.cost(of: Self.lines) {
            for _ in 0..<(Self.lines / Self.appendCount) {
                await journal.append(batch, addition: addition)
            }
            await journal.close()
        }
        guard await journal.ledger.ingest.published == Int64(Self.lines) else {
            throw BenchmarkError("the journal did not accept all lines")
        }
        return cost
    }

    /// Measures the reference: the rows one after the other in a plain file.
    private func bare(_ row: [UInt8], _ context: BenchmarkContext) throws -> Cost {
        let path = try Self.freshPath(in: context)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError("cannot open \(path)") }
        defer { close(descriptor) }
        return try Meter.cost(of: Self.lines) {
            for _ in 0..<Self.rows where write(descriptor, row, row.count) != row.count {
                throw BenchmarkError("cannot write \(path)")
            }
        }
    }

    /// Removes the files of earlier rounds and returns their path.
    private static func freshPath(in context: BenchmarkContext) throws -> String {
        let path = "\(context.folder)/journal"
        try? FileManager.default.removeItem(atPath: path)
        return path
    }
}
