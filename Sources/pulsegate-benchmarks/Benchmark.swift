/// A benchmark.
protocol Benchmark: Sendable {
    /// The name on the command line.
    var name: String { get }
    /// A one-line summary of the measurement and its reference.
    var summary: String { get }

    /// Runs the benchmark.
    func run(_ context: BenchmarkContext) async throws -> [Figure]
}

/// The parameters of all benchmarks.
struct BenchmarkContext: Sendable {
    let rounds: Rounds
    /// An empty folder.
    let folder: String
    /// The path of the `pulsegate` command.
    let command: String
}

extension BenchmarkContext {
    /// All benchmarks, from the smallest component to the complete gateway.
    static let benchmarks: [any Benchmark] = [
        ParseBenchmark(), UnitsBenchmark(), LinesBenchmark(), ExecBenchmark(), BusBenchmark(),
        JournalBenchmark(),
        StoreBenchmark(), LargeStoreBenchmark(), QueryBenchmark(), ImportBenchmark(),
        ResumeBenchmark(),
        ReplayBenchmark(), ThroughputBenchmark(destination: .json),
        ThroughputBenchmark(destination: .influx), ThroughputBenchmark(destination: .store),
        SteadyBenchmark(), SparseBenchmark(), PortsBenchmark(), LatencyBenchmark(),
        WebBenchmark(),
        NotificationBenchmark(), SensorsBenchmark(), StrapsBenchmark(), DevicesBenchmark(),
        IdleBenchmark(), CallsBenchmark(), ContainmentBenchmark(),
    ]
}
