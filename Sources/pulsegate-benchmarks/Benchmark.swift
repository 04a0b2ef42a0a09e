/// Something that is measured.
protocol Benchmark: Sendable {
    /// The word for it on the command line.
    var name: String { get }
    /// What is measured, and beside what, in a sentence.
    var about: String { get }

    /// Measures it.
    func run(_ setting: Setting) async throws -> [Figure]
}

/// What all benchmarks are given.
struct Setting: Sendable {
    let rounds: Rounds
    /// An empty folder.
    let folder: String
    /// The command that is measured as a whole.
    let command: String
}

extension Setting {
    /// Every benchmark, from the smallest part to the whole.
    static let benchmarks: [any Benchmark] = [
        ParseBenchmark(), UnitsBenchmark(), LinesBenchmark(), BusBenchmark(), JournalBenchmark(),
        StoreBenchmark(),
        ThroughputBenchmark(), SteadyBenchmark(), LatencyBenchmark(), NotificationBenchmark(),
        IdleBenchmark(),
    ]
}
