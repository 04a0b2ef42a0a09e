import BluetoothTesting
import GatewayCore
import GatewayTesting
import Platform

/// Measures whether an advertisement and a sample cost the same with many straps as with few.
struct StrapsBenchmark: Benchmark {
    let name = "straps"
    let summary = "1,000 straps that advertise and notify on a fake BlueZ, vs. 10 of them"

    private static let few = 10
    private static let many = 1_000
    /// The advertisements of all waiting straps in a second.
    private static let advertisementsPerSecond = 1_000.0
    private static let waitingSeconds = 3.0
    /// The duration of a connection attempt.
    private static let connectSeconds = 0.02
    private static let liveSeconds = 10.0

    private struct Measurement {
        /// The CPU time of an advertisement of a waiting strap, in microseconds.
        let advertisement: Double
        /// The time until all straps are connected, for each of them.
        let connecting: Double
        /// The CPU time of a sample, in microseconds.
        let sample: Double
        /// The load of a core while all straps are connected.
        let load: Double
        let lost: Double
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let turns = try await context.rounds.alternate {
            try await measure(Self.few, context)
        } ours: {
            try await measure(Self.many, context)
        }
        return [
            Figure("advertisement", "us CPU", turns, goal: .ratio(.atMost, 1.5)) {
                $0.advertisement
            },
            Figure("connecting a strap", "s", turns, goal: .ratio(.atMost, 1.5)) { $0.connecting },
            Figure("sample", "us CPU", turns, goal: .ratio(.atMost, 1.2)) { $0.sample },
            Figure("load of a core", "%", turns) { $0.load * 100 },
            Figure("lost samples", "", turns, goal: .value(.atMost, 0)) { $0.lost },
        ]
    }

    private func measure(_ count: Int, _ context: BenchmarkContext) async throws -> Measurement {
        let field = try await StrapField(
            context.command, in: "\(context.folder)/straps", straps: count,
            connectSeconds: Self.connectSeconds, isHeld: true)
        let advertisement = try await advertisementCost(field)
        let connecting = try await connect(field)
        let (cost, lost) = try await sampleCost(field)
        try field.end()
        return Measurement(
            advertisement: advertisement, connecting: connecting / Double(count),
            sample: cost.cpuMicrosecondsEach, load: cost.cpuSeconds / cost.seconds, lost: lost)
    }

    private func advertisementCost(_ field: StrapField) async throws -> Double {
        // Every strap is seen before the measurement.
        let rate = Self.advertisementsPerSecond / Double(field.addresses.count)
        _ = try await field.run(seconds: 1, advertisements: rate, values: 0)
        try await field.waitUntilIdle()
        let cpu = field.facts.cpuSeconds
        let counts = try await field.run(
            seconds: Self.waitingSeconds, advertisements: rate, values: 0)
        try await field.waitUntilIdle()
        return (field.facts.cpuSeconds - cpu) * 1e6 / Double(counts.advertisements)
    }

    /// Lets the straps be connected; returns how long that takes.
    private func connect(_ field: StrapField) async throws -> Double {
        let start = Meter.wallSeconds
        await field.bluez.release("Connect")
        try await field.wait {
            _ = try await field.run(seconds: 0.1, advertisements: 5, values: 1)
            return await field.subscribedCount == field.addresses.count
        }
        return Meter.wallSeconds - start
    }

    private func sampleCost(_ field: StrapField) async throws -> (Cost, lost: Double) {
        // The first value of a strap is published with the event of its connection.
        _ = try await field.run(seconds: 1.1, advertisements: 5, values: 1)
        try await field.waitUntilIdle()
        let published = try field.publishedCount
        let (cpu, wall) = (field.facts.cpuSeconds, Meter.wallSeconds)
        let counts = try await field.run(seconds: Self.liveSeconds, advertisements: 5, values: 1)
        let (cpuEnd, wallEnd) = (field.facts.cpuSeconds, Meter.wallSeconds)
        try await field.waitUntilIdle()
        let lost = counts.values - (try field.publishedCount - published)
        return (
            Cost(count: counts.values, seconds: wallEnd - wall, cpuSeconds: cpuEnd - cpu),
            Double(lost)
        )
    }
}
