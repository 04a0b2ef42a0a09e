import BluetoothTesting
import Foundation
import GatewayCore
import Glibc
import Platform
import SQLiteStore
import Serial

/// Measures few values: a pedometer with ten lines a second, and two straps with one value a second.
struct SparseBenchmark: Benchmark {
    let name = "sparse"
    let summary =
        "10 lines a second, and 2 straps at 1 Hz, into the store, vs. a loop that commits once a second"

    private static let seconds = 20.0
    private static let linesPerSecond = 10
    private static let straps = 2

    /// What a second costs.
    private struct Load: Sendable {
        var wakeUps: Double
        var cpuPercent: Double
        var writtenKilobytes: Double
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let bare = try await loads(context) { try await self.bare(context, $0) }
        let lines = try await loads(context) { try await ours(context, $0) }
        let straps = try await loads(context) { try await strapLoad(context, $0) }
        return [
            figure("lines: wake-ups", "/s", lines, bare, atMost: 15) { $0.wakeUps },
            figure("lines: CPU", "% of a core", lines, bare, atMost: 0.15) { $0.cpuPercent },
            figure("lines: written", "kB/s", lines, bare, atMost: 4) { $0.writtenKilobytes },
            figure("straps: wake-ups", "/s", straps, atMost: 4) { $0.wakeUps },
            figure("straps: CPU", "% of a core", straps, atMost: 0.1) { $0.cpuPercent },
            figure("straps: written", "kB/s", straps) { $0.writtenKilobytes },
        ]
    }

    private func figure(
        _ name: String, _ unit: String, _ ours: [Load], _ bare: [Load]? = nil,
        atMost limit: Double? = nil, _ value: (Load) -> Double
    ) -> Figure {
        let reference = bare.map { median($0.map(value)) }
        let number = median(ours.map(value))
        return Figure(
            name, unit, number, reference: reference, ratio: reference.map { number / $0 },
            goal: limit.map { .value(.atMost, $0) })
    }

    /// Measures all rounds in parallel, because processes with little to do do not disturb each other.
    private func loads(
        _ context: BenchmarkContext, _ measure: @escaping @Sendable (Int) async throws -> Load
    ) async throws -> [Load] {
        try await withThrowingTaskGroup(of: Load.self) { group in
            for round in 0..<context.rounds.count {
                group.addTask { try await measure(round) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func ours(_ context: BenchmarkContext, _ round: Int) async throws -> Load {
        let gateway = try await RunningGateway(
            context.command, in: "\(context.folder)/sparse\(round)",
            sinks: "store: { use: \"sqlite\" }")
        let load = try await load(of: gateway.process.facts) {
            try await Self.send(to: gateway.terminal)
        }
        try gateway.end()
        return load
    }

    private func strapLoad(_ context: BenchmarkContext, _ round: Int) async throws -> Load {
        let gateway = try await StrapGateway(
            context.command, in: "\(context.folder)/sparse\(round)", straps: Self.straps, clients: 0
        )
        let clock = SystemClock()
        let load = try await load(of: gateway.facts) {
            let start = clock.now()
            for second in 0..<Int(Self.seconds) {
                for strap in 0..<Self.straps {
                    let beat = StrapBeats.Beat(strap: strap, heartRate: 60 + second)
                    await gateway.bluez.notify(
                        StrapBeats.address(strap), StrapBeats.value(beat))
                }
                try await clock.sleep(until: start.adding(seconds: Double(second + 1)))
            }
        }
        try gateway.end()
        return load
    }

    /// Measures a process while something is sent to it.
    private func load(
        of facts: ProcessFacts, _ body: () async throws -> Void
    ) async throws -> Load {
        let (wakeUps, cpu, bytes) = (
            try facts.wakeUps(), facts.cpuSeconds, try facts.writtenBytes()
        )
        let start = Meter.wallSeconds
        try await body()
        let seconds = Meter.wallSeconds - start
        return Load(
            wakeUps: Double(try facts.wakeUps() - wakeUps) / seconds,
            cpuPercent: (facts.cpuSeconds - cpu) / seconds * 100,
            writtenKilobytes: Double(try facts.writtenBytes() - bytes) / seconds / 1_000)
    }

    /// Measures the reference: a thread reads single lines, and commits once a second.
    private func bare(_ context: BenchmarkContext, _ round: Int) async throws -> Load {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let path = "\(context.folder)/sparse\(round).sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        _ = try SQLiteStore(path: path)
        var strap = StrapRecords()
        let count = Int(Self.seconds) * Self.linesPerSecond
        let records = try strap.next(count)
        async let sent: Void = Self.send(to: terminal)
        let slavePath = terminal.slavePath
        let load = try await BareReader.onThread {
            let store = try BareStore(path: path)
            let before = try ProcessFacts.ofThisThread()
            var (read, written) = (0, 0)
            let cost = try BareReader.cost(of: count, from: slavePath) { lines in
                read += lines
                guard read - written >= Self.linesPerSecond else { return }
                try store.write(Array(records[written..<read]))
                written = read
            }
            let after = try ProcessFacts.ofThisThread()
            return Load(
                wakeUps: Double(after.wakeUps - before.wakeUps) / cost.seconds,
                cpuPercent: cost.cpuSeconds / cost.seconds * 100,
                writtenKilobytes: Double(after.writtenBytes - before.writtenBytes) / cost.seconds
                    / 1_000)
        }
        try await sent
        return load
    }

    private static func send(to terminal: PseudoTerminal) async throws {
        let clock = SystemClock()
        let start = clock.now()
        for number in 0..<(Int(seconds) * linesPerSecond) {
            try await terminal.send(StepLines.line(number))
            let next = Double(number + 1) / Double(linesPerSecond)
            try await clock.sleep(until: start.adding(seconds: next))
        }
    }
}
