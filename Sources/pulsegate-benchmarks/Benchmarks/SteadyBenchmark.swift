import Foundation
import GatewayCore
import HealthModel
import HealthStore
import Platform
import Serial

/// Sends single lines at an even pace, as many small devices together would.
struct SteadyBenchmark: Benchmark {
    let name = "steady"
    let about = "1,000 single lines a second into the store, beside a loop that reads and inserts"

    private static let lines = 10_000
    private static let nanosecondsBetween: Int64 = 1_000_000
    /// The gateway commits ten times a second.
    private static let commitCount = 100

    func run(_ setting: Setting) async throws -> [Figure] {
        var strap = StrapRecords()
        let records = try strap.next(Self.lines)
        let turns = try await setting.rounds.takeTurns {
            try await bare(records, setting)
        } ours: {
            try await ours(setting)
        }
        return [
            Figure("CPU", "us/line", turns, goal: .value(.atMost, 10)) { $0.cpuMicrosecondsEach }
        ]
    }

    private func ours(_ setting: Setting) async throws -> Cost {
        let gateway = try await RunningGateway(
            setting.command, in: "\(setting.folder)/steady", sinks: "store: { use: \"sqlite\" }")
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

    /// Every line is read as it comes; 100 of them make a commit.
    private func bare(_ records: [Record], _ setting: Setting) async throws -> Cost {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let path = "\(setting.folder)/steady.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        _ = try HealthStore(path: path)
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
