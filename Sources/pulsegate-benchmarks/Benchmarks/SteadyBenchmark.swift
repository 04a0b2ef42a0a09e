import Foundation
import GatewayCore
import HealthModel
import Platform
import SQLiteStore
import Serial

/// Measures single lines at a constant rate, as from many small devices.
struct SteadyBenchmark: Benchmark {
    let name = "steady"
    let summary = "1,000 single lines a second into the store, vs. a loop that reads and inserts"

    private static let lines = 10_000
    private static let nanosecondsBetween: Int64 = 1_000_000
    /// The gateway commits ten times a second.
    private static let commitCount = 100

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        var strap = StrapRecords()
        let records = try strap.next(Self.lines)
        let turns = try await context.rounds.alternate {
            try await bare(records, context)
        } ours: {
            try await ours(context)
        }
        return [
            Figure("CPU", "us/line", turns, goal: .value(.atMost, 10)) { $0.cpuMicrosecondsEach }
        ]
    }

    private func ours(_ context: BenchmarkContext) async throws -> Cost {
        let gateway = try await RunningGateway(
            context.command, in: "\(context.folder)/steady", sinks: "store: { use: \"sqlite\" }")
        let facts = gateway.process.facts
        let (cpu, wall) = (facts.cpuSeconds, Meter.wallSeconds)
        try await Self.send(to: gateway.terminal)
        // The first line is a baseline, and the device's connection is a record.
        try await gateway.waitForDelivery(of: Self.lines)
        let cost = Cost(
            count: Self.lines, seconds: Meter.wallSeconds - wall,
            cpuSeconds: facts.cpuSeconds - cpu)
        try gateway.end()
        return cost
    }

    /// Measures the reference: single lines are read, and 100 of them are committed together.
    private func bare(_ records: [Record], _ context: BenchmarkContext) async throws -> Cost {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let path = "\(context.folder)/steady.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        _ = try SQLiteStore(path: path)
        async let sent: Void = Self.send(to: terminal)
        let slavePath = terminal.slavePath
        let cost = try await BareReader.onThread {
            let store = try BareStore(path: path)
            var read = 0
            var written = 0
            return try BareReader.cost(of: Self.lines, from: slavePath) { lines in
                read += lines
                guard read - written >= Self.commitCount else { return }
                try store.write(Array(records[written..<read]))
                written = read
            }
        }
        try await sent
        return cost
    }

    private static func send(to terminal: PseudoTerminal) async throws {
        let clock = SystemClock()
        let start = clock.now()
        for number in 0..<lines {
            try await terminal.send(StepLines.line(number))
            let next = Int64(number + 1) * nanosecondsBetween
            try await clock.sleep(until: start.adding(nanoseconds: next))
        }
    }
}
