import Foundation
import GatewayCore
import Glibc
import HealthModel
import Platform
import SQLiteStore
import Serial

/// Measures many serial ports, each with a pedometer that sends ten lines a second.
struct PortsBenchmark: Benchmark {
    let name = "ports"
    let summary =
        "200 serial ports with 10 lines a second into the store, vs. a loop over poll that inserts"

    private static let ports = 200
    private static let linesPerPort = 100
    private static let lines = ports * linesPerPort
    private static let nanosecondsBetween: Int64 = 500_000
    /// The gateway commits ten times a second.
    private static let commitCount = 200

    /// The result of a run.
    private struct Run {
        var cost: Cost
        var privateBytes = 0
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        var strap = StrapRecords()
        let records = try strap.next(Self.lines)
        let turns = try await context.rounds.alternate {
            try await bare(records, context)
        } ours: {
            try await ours(context)
        }
        return [
            Figure("CPU", "us/line", turns, goal: .value(.atMost, 40)) {
                $0.cost.cpuMicrosecondsEach
            },
            Figure(
                "private memory", "MB", turns.medianOfOurs { Double($0.privateBytes) / 1e6 },
                goal: .value(.atMost, 30)),
        ]
    }

    private func ours(_ context: BenchmarkContext) async throws -> Run {
        let gateway = try await RunningGateway(
            context.command, in: "\(context.folder)/ports",
            protocols: Array(
                repeating: "{ use: \"lines\", preset: \"steps\" }", count: Self.ports - 1),
            sinks: "store: { use: \"sqlite\" }")
        let facts = gateway.process.facts
        let (cpu, wall) = (facts.cpuSeconds, Meter.wallSeconds)
        try await Self.send(to: [gateway.terminal] + gateway.others)
        // The first line of a port is a baseline, and the connection of its device is a record.
        try await gateway.waitForDelivery(of: Self.lines)
        let cost = Cost(
            count: Self.lines, seconds: Meter.wallSeconds - wall,
            cpuSeconds: facts.cpuSeconds - cpu)
        let bytes = try facts.privateBytes()
        try gateway.end()
        return Run(cost: cost, privateBytes: bytes)
    }

    private func bare(_ records: [Record], _ context: BenchmarkContext) async throws -> Run {
        let terminals = try (0..<Self.ports).map { _ in try PseudoTerminal() }
        defer { for terminal in terminals { terminal.close() } }
        let path = "\(context.folder)/ports.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        _ = try SQLiteStore(path: path)
        async let sent: Void = Self.send(to: terminals)
        let paths = terminals.map(\.slavePath)
        let cost = try await BareReader.onThread {
            let store = try BareStore(path: path)
            var (read, written) = (0, 0)
            return try BareReader.cost(of: Self.lines, fromAll: paths) { lines in
                read += lines
                guard read - written >= Self.commitCount else { return }
                try store.write(Array(records[written..<read]))
                written = read
            }
        }
        try await sent
        return Run(cost: cost)
    }

    /// Sends the lines at a constant rate, to one port after the other.
    private static func send(to terminals: [PseudoTerminal]) async throws {
        let clock = SystemClock()
        let start = clock.now()
        for number in 0..<lines {
            try await terminals[number % ports].send(StepLines.line(number / ports))
            let next = Int64(number + 1) * nanosecondsBetween
            try await clock.sleep(until: start.adding(nanoseconds: next))
        }
    }
}
