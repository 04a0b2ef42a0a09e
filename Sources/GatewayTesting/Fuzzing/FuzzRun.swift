import FoundationEssentials
import GatewayCore
import Glibc
public import Platform

/// A run of a fuzz test: a fixed number of inputs, or as many as fit into a time.
///
/// Each input has its own seed, one more than the previous input. An ordinary run starts with seed
/// 1, so that it is the same everywhere. `PULSEGATE_FUZZ_SECONDS=60` in the environment makes each
/// run last 60 seconds from a random seed; `PULSEGATE_FUZZ_SEED=N` starts with the seed N, which a
/// finding names. Otherwise ``FuzzFactor`` scales the number of inputs.
///
/// An input that needs much CPU time and growing memory are findings, too.
public struct FuzzRun {
    /// The limits of a run.
    public struct Limits: Sendable {
        /// The maximum CPU time of this process for one input; it may take 20 times as long on a loaded
        /// machine.
        public var secondsPerInput: Double
        /// The maximum growth of the peak memory of the process.
        public var megabytes: Int

        /// Makes limits.
        public init(secondsPerInput: Double = 5, megabytes: Int = 192) {
            self.secondsPerInput = secondsPerInput
            self.megabytes = megabytes
        }
    }

    /// The run ends after this number of findings.
    private static let findingLimit = 10

    private let name: String
    private let limits: Limits
    private var seeds: FuzzSeeds
    private let clock = SystemClock()
    private let start: BootInstant
    private let memoryAtStart: Int
    private var inputStart: (cpuSeconds: Double, time: BootInstant)
    private var slowest = (seconds: 0.0, seed: UInt64(0))
    private var findings: [String] = []

    /// The seed of the current input.
    public private(set) var seed: UInt64
    /// The number of inputs so far.
    public private(set) var count = 0

    /// Starts a run with this number of inputs by default; prints the seed of other runs.
    public init(_ name: String, inputs: Int, limits: Limits = Limits()) {
        seeds = FuzzSeeds(count: inputs)
        self.name = name
        self.limits = limits
        seed = seeds.first
        start = clock.now()
        inputStart = (Self.cpuSeconds, start)
        memoryAtStart = Self.maximumMemory()
        if seeds.isChosen { print("fuzz \(name): first seed \(seed)") }
    }

    /// Whether the run has a duration, so that large inputs are acceptable.
    public var isLong: Bool { seeds.isLong }

    /// The random numbers for the next input; nil at the end of the run.
    public mutating func next() -> SeededGenerator? {
        if count > 0 { noteTime() }
        inputStart = (Self.cpuSeconds, clock.now())
        guard findings.count < Self.findingLimit, let next = seeds.next() else { return nil }
        seed = next
        count += 1
        return SeededGenerator(seed: seed)
    }

    /// Adds a finding about the current input, unless the condition holds.
    public mutating func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
        if !isRight { findings.append("PULSEGATE_FUZZ_SEED=\(seed): \(problem())") }
    }

    /// Ends the run and returns the findings; prints statistics.
    public mutating func finish() -> [String] {
        let seconds = clock.now().seconds(since: start)
        let growth = Self.maximumMemory() - memoryAtStart
        print(
            "fuzz \(name): \(count) inputs from seed \(seeds.first) in \(Self.short(seconds)) s, "
                + "slowest \(Self.short(slowest.seconds * 1000)) ms (seed \(slowest.seed)), "
                + "peak memory grew by \(growth) MB, \(findings.count) findings")
        if growth > limits.megabytes {
            findings.append("memory grew by \(growth) MB after seed \(seeds.first)")
        }
        return findings
    }

    private mutating func noteTime() {
        let seconds = Self.cpuSeconds - inputStart.cpuSeconds
        let elapsed = clock.now().seconds(since: inputStart.time)
        if seconds > slowest.seconds { slowest = (seconds, seed) }
        expect(
            seconds <= limits.secondsPerInput && elapsed <= limits.secondsPerInput * 20,
            "took \(Self.short(seconds)) s of CPU time, \(Self.short(elapsed)) s in all")
    }

    /// The CPU time of this process.
    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func short(_ number: Double) -> String {
        String((number * 10).rounded() / 10)
    }

    /// The peak memory of this process, in megabytes (proc_pid_status(5)).
    private static func maximumMemory() -> Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) / 1024 : 0
    }
}
