import BluetoothTesting
import GatewayCore
import GatewayTesting
import Glibc
import Platform

/// Measures the CPU time of a notification, next to a bare loop that receives the same ones.
///
/// The time of dbus-daemon is in neither.
struct NotificationBenchmark: Benchmark {
    let name = "notification"
    let summary = "notifications of 20 straps, vs. a bare sd-bus loop that decodes the same ones"

    private static let seconds = 10

    /// The CPU time of both during the same notifications.
    private struct Measurement {
        var gateway: [Double] = []
        var bare: [Double] = []

        func figure(_ name: String, goal: Figure.Goal? = nil) -> Figure {
            Figure(
                name, "us/notification", median(gateway), reference: median(bare),
                ratio: median(zip(gateway, bare).map { $0 / $1 }), goal: goal)
        }
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let live = try await measure(context, sinks: "lines: \"stdout\"")
        let acquired = try await measure(
            context, source: ", acquireNotify: \"all\"", sinks: "lines: \"stdout\"")
        let store = try await measure(context, sinks: "store: { use: \"sqlite\" }")
        return [
            live.fast.figure("1,000/s, lines", goal: .ratio(.atMost, 1.5)),
            live.slow.figure("20/s, lines"),
            acquired.fast.figure("1,000/s, acquired", goal: .ratio(.atMost, 1.5)),
            acquired.slow.figure("20/s, acquired"),
            store.fast.figure("1,000/s, store"),
            store.slow.figure("20/s, store"),
        ]
    }

    private func measure(
        _ context: BenchmarkContext, source: String = "", sinks: String
    ) async throws -> (fast: Measurement, slow: Measurement) {
        let gateway = try await StrapGateway(
            context.command, in: "\(context.folder)/notification", clients: 0, source: source,
            sinks: sinks)
        // The bare loop does not receive what is acquired.
        let sender = source.isEmpty ? nil : try SignalSender(address: gateway.busAddress)
        let bare = try MeasuredProcess(
            ["/proc/self/exe", BareNotifications.argument, gateway.busAddress],
            output: "/dev/null", error: "/dev/null")
        var (fast, slow) = (Measurement(), Measurement())
        for _ in 0..<context.rounds.count {
            try await Self.measure(gateway, bare, sender, perSecond: 1_000, &fast)
            try await Self.measure(gateway, bare, sender, perSecond: StrapBeats.straps, &slow)
        }
        _ = try bare.end(with: SIGKILL)
        try gateway.end()
        return (fast, slow)
    }

    /// Measures the CPU time of one notification in microseconds.
    private static func measure(
        _ gateway: StrapGateway, _ bare: MeasuredProcess, _ sender: SignalSender?,
        perSecond: Int, _ measurement: inout Measurement
    ) async throws {
        let clock = SystemClock()
        let published = try gateway.publishedCount
        let count = perSecond * seconds
        let before = (gateway: gateway.facts.cpuSeconds, bare: bare.facts.cpuSeconds)
        let start = clock.now()
        for number in 0..<count {
            let next = Int64(number) * 1_000_000_000 / Int64(perSecond)
            try await clock.sleep(until: start.adding(nanoseconds: next))
            // The value changes each time: an equal one could be dropped as a duplicate.
            let heartRate = 60 + number / StrapBeats.straps % 100
            let beat = StrapBeats.Beat(strap: number % StrapBeats.straps, heartRate: heartRate)
            await gateway.bluez.notify(StrapBeats.address(beat.strap), StrapBeats.value(beat))
            try await sender?.notify(StrapBeats.value(beat))
        }
        let cpu = (gateway: gateway.facts.cpuSeconds, bare: bare.facts.cpuSeconds)
        try await gateway.waitForPublication(of: published + count)
        measurement.gateway.append((cpu.gateway - before.gateway) * 1e6 / Double(count))
        measurement.bare.append((cpu.bare - before.bare) * 1e6 / Double(count))
    }
}
