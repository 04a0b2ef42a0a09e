import Foundation
import GatewayCore
import Platform
import SQLiteJournal

/// Appends lines to the journal.
struct JournalBenchmark: Benchmark {
    let name = "journal"
    let about =
        "lines into the journal, beside the same bytes in rows of 1,000 lines by a bare loop"

    /// So many lines come of a read of a fast stream.
    private static let appendCount = 100
    private static let rowCount = 1_000
    private static let rows = 200
    private static let lines = rowCount * rows

    func run(_ setting: Setting) async throws -> [Figure] {
        var strap = StrapRecords()
        let batch = RecordBatch(try strap.next(Self.appendCount)).lines
        let row = [[UInt8]](repeating: batch.bytes, count: Self.rowCount / Self.appendCount)
            .flatMap { $0 }
        let turns = try await setting.rounds.takeTurns {
            try bare(row, setting)
        } ours: {
            try await ours(batch, setting)
        }
        return [
            Figure("lines", "lines/s", turns, goal: .ratio(.atLeast, 0.8)) { $0.perSecond },
            Figure("CPU", "us/line", turns) { $0.cpuMicrosecondsEach },
        ]
    }

    private func ours(_ batch: RecordLines, _ setting: Setting) async throws -> Cost {
        let path = try Self.freshPath(in: setting)
        let journal = try Journal(
            file: SQLiteJournalFile(path: path, durability: .crash), sinks: [String](),
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
            throw BenchmarkError("the journal has not taken all lines")
        }
        return cost
    }

    /// The settings are those of the journal, read from a file that it made.
    private func bare(_ row: [UInt8], _ setting: Setting) throws -> Cost {
        let path = try Self.freshPath(in: setting)
        _ = try SQLiteJournalFile(path: path, durability: .crash)
        let pageSize = try BareDatabase(path: path).number("PRAGMA page_size")
        let database = try BareDatabase(path: try Self.freshPath(in: setting))
        try database.execute(
            """
            PRAGMA page_size = \(pageSize);
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            CREATE TABLE batch (first INTEGER PRIMARY KEY, count INTEGER, lines BLOB);
            """)
        let insert = try database.prepare("INSERT INTO batch VALUES (?, ?, ?)")
        return try Meter.cost(of: Self.lines) {
            for index in 0..<Self.rows {
                try database.execute("BEGIN IMMEDIATE")
                insert.bind(1, Int64(index * Self.rowCount))
                insert.bind(2, Int64(Self.rowCount))
                row.withUnsafeBytes { insert.bind(3, $0) }
                try database.run(insert)
                try database.execute("COMMIT")
            }
        }
    }

    /// A path where no file of an earlier round is.
    private static func freshPath(in setting: Setting) throws -> String {
        let path = "\(setting.folder)/journal.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        return path
    }
}
