import FoundationEssentials
import GatewayCore
import Glibc
public import Platform

/// The inputs of a test with random input: so many, or as many as fit into the time that it is given.
///
/// Each input is made of a seed of its own, which is one more than that of the input before. The usual run
/// begins with seed 1, so that it is the same everywhere. `PULSEGATE_FUZZ_SECONDS=60` in the environment
/// makes each run go on for so long, from a seed that nobody has tried; `PULSEGATE_FUZZ_SEED=N` begins
/// with the seed N, which is what a finding names. Else ``FuzzFactor`` says how many inputs there are.
///
/// Besides what the test itself finds, a single input that takes too long and memory that grows are
/// findings.
public struct FuzzRun {
    /// What a run may need.
    public struct Limits: Sendable {
        /// The longest time for one input, on a machine that does much else.
        public var secondsPerInput: Double
        /// By how much the most memory that the process ever had may grow.
        public var megabytes: Int

        /// Makes limits.
        public init(secondsPerInput: Double = 5, megabytes: Int = 192) {
            self.secondsPerInput = secondsPerInput
            self.megabytes = megabytes
        }
    }

    /// More findings say nothing new.
    private static let findingLimit = 10

    private let name: String
    private let limits: Limits
    private let firstSeed: UInt64
    private let lastSeed: UInt64?
    private let end: BootInstant?
    private let clock = SystemClock()
    private let start: BootInstant
    private let memoryAtStart: Int
    private var inputStart: BootInstant
    private var slowest = (seconds: 0.0, seed: UInt64(0))
    private var findings: [String] = []

    /// The seed of the input that is tried, or of the next one.
    public private(set) var seed: UInt64
    /// How many inputs there were.
    public private(set) var count = 0

    /// Begins a run of usually so many inputs, and prints its seed.
    public init(_ name: String, inputs: Int, limits: Limits = Limits()) {
        let variables = ProcessInfo.processInfo.environment
        let seconds = variables["PULSEGATE_FUZZ_SECONDS"].flatMap { Double($0) }
        let chosen = variables["PULSEGATE_FUZZ_SEED"].flatMap { UInt64($0) }
        // Short enough to be typed.
        let fresh = UInt64(UInt32.random(in: .min ... .max))
        firstSeed = chosen ?? (seconds == nil ? 1 : fresh)
        lastSeed = seconds == nil ? firstSeed &+ UInt64(max(inputs * FuzzFactor.current, 1)) : nil
        self.name = name
        self.limits = limits
        seed = firstSeed
        start = clock.now()
        inputStart = start
        end = seconds.map { [start] in start.adding(nanoseconds: Int64($0 * 1e9)) }
        memoryAtStart = Self.maximumMemory()
        if seconds != nil || chosen != nil { print("fuzz \(name): begins with seed \(seed)") }
    }

    /// Whether it goes on for a time, so that there is room for large inputs.
    public var isLong: Bool { end != nil }

    /// The random numbers for the next input; nil when there were enough.
    public mutating func next() -> SeededGenerator? {
        let now = clock.now()
        if count > 0 {
            noteTime(now)
            seed &+= 1
        }
        inputStart = now
        if findings.count >= Self.findingLimit { return nil }
        if seed == lastSeed { return nil }
        if let end, now >= end { return nil }
        count += 1
        return SeededGenerator(seed: seed)
    }

    /// Notes a finding about the input that is tried, unless the condition holds.
    public mutating func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
        if !isRight { findings.append("PULSEGATE_FUZZ_SEED=\(seed): \(problem())") }
    }

    /// Ends the run, and answers with everything that was found; it prints how much was tried.
    public mutating func finish() -> [String] {
        let seconds = clock.now().seconds(since: start)
        let growth = Self.maximumMemory() - memoryAtStart
        print(
            "fuzz \(name): \(count) inputs from seed \(firstSeed) in \(Self.short(seconds)) s, "
                + "slowest \(Self.short(slowest.seconds * 1000)) ms (seed \(slowest.seed)), "
                + "most memory grew by \(growth) MB, \(findings.count) findings")
        if growth > limits.megabytes {
            findings.append("from seed \(firstSeed) on memory grew by \(growth) MB")
        }
        return findings
    }

    private mutating func noteTime(_ now: BootInstant) {
        let seconds = now.seconds(since: inputStart)
        if seconds > slowest.seconds { slowest = (seconds, seed) }
        expect(seconds <= limits.secondsPerInput, "took \(Self.short(seconds)) s")
    }

    private static func short(_ number: Double) -> String {
        String((number * 10).rounded() / 10)
    }

    /// The most memory that this process has had at once, in megabytes (proc_pid_status(5)).
    private static func maximumMemory() -> Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) / 1024 : 0
    }
}
