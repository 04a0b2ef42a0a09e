import GatewayCore
import GatewayTesting
import Platform

/// Measures the CPU time of a notification, at a higher rate than real straps have.
struct NotificationBenchmark: Benchmark {
    let name = "notify"
    let summary = "20 straps with 1,000 notifications a second together into the store"

    private static let notifications = 10_000
    private static let nanosecondsBetween: Int64 = 1_000_000

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let gateway = try await StrapGateway(
            context.command, in: "\(context.folder)/notify", clients: 0)
        var costs: [Double] = []
        for _ in 0..<context.rounds.count { costs.append(try await Self.cost(to: gateway)) }
        try gateway.end()
        return [Figure("CPU", "us/notification", median(costs))]
    }

    /// Measures the CPU time of one notification in microseconds.
    private static func cost(to gateway: StrapGateway) async throws -> Double {
        let clock = SystemClock()
        let published = try gateway.publishedCount
        let (cpu, start) = (gateway.facts.cpuSeconds, clock.now())
        for number in 0..<notifications {
            try await clock.sleep(
                until: start.adding(nanoseconds: Int64(number) * nanosecondsBetween))
            // The value changes each time: an equal one could be dropped as a duplicate.
            let heartRate = 60 + number / StrapBeats.straps % 100
            let beat = StrapBeats.Beat(strap: number % StrapBeats.straps, heartRate: heartRate)
            await gateway.bluez.notify(StrapBeats.address(beat.strap), StrapBeats.value(beat))
        }
        try await gateway.waitForPublication(of: published + notifications)
        return (gateway.facts.cpuSeconds - cpu) * 1e6 / Double(notifications)
    }
}
