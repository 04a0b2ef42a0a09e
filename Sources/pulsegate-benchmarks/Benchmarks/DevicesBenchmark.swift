import GatewayCore
import Platform

/// Measures whether a sample costs the same with many devices as with few.
struct DevicesBenchmark: Benchmark {
    let name = "devices"
    let summary = "1,000 simulated straps at 1 Hz into the store, vs. 10 of them"

    private static let few = 10
    private static let many = 1_000
    /// The time until the work after the start is finished.
    private static let settlingSeconds = 5.0
    private static let seconds = 20.0

    private struct Measurement {
        let cost: Cost
        let residentBytes: Int
        let wakeUpsPerSecond: Double
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let turns = try await context.rounds.alternate {
            try await measure(Self.few, context)
        } ours: {
            try await measure(Self.many, context)
        }
        let added = Double(Self.many - Self.few)
        let resident = { (measured: Measurement) in Double(measured.residentBytes) }
        let kilobytesEach =
            (turns.medianOfOurs(resident) - turns.medianOfReference(resident)) / added / 1e3
        return [
            Figure("CPU", "us/sample", turns, goal: .ratio(.atMost, 1.2)) {
                $0.cost.cpuMicrosecondsEach
            },
            Figure("samples", "/s", turns) { $0.cost.perSecond },
            Figure("wake-ups", "/s", turns) { $0.wakeUpsPerSecond },
            Figure("memory of a device", "kB", kilobytesEach),
        ]
    }

    private func measure(_ count: Int, _ context: BenchmarkContext) async throws -> Measurement {
        let gateway = try await SensorGateway(
            context.command, in: "\(context.folder)/devices", straps: count)
        let (facts, clock) = (gateway.facts, SystemClock())
        try await clock.sleep(seconds: Self.settlingSeconds)
        // The status is asked for outside of the measurement: it costs CPU time, too.
        let published = try gateway.publishedCount
        let (cpu, wall, wakeUps) = (facts.cpuSeconds, Meter.wallSeconds, try facts.wakeUps())
        try await clock.sleep(seconds: Self.seconds)
        let (cpuEnd, wallEnd, wakeUpsEnd) =
            (facts.cpuSeconds, Meter.wallSeconds, try facts.wakeUps())
        let resident = try facts.residentBytes()
        let cost = Cost(
            count: try gateway.publishedCount - published, seconds: wallEnd - wall,
            cpuSeconds: cpuEnd - cpu)
        try gateway.end()
        return Measurement(
            cost: cost, residentBytes: resident,
            wakeUpsPerSecond: Double(wakeUpsEnd - wakeUps) / (wallEnd - wall))
    }
}
