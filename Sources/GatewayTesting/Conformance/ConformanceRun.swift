import GatewayCore
import Platform

/// A run of a conformance suite: the file with its current input, its watchdog and its findings.
final class ConformanceRun {
    /// A longer call is a finding, in seconds.
    static let secondsPerCall = 1.0
    /// The maximum number of findings: the first ones tell enough.
    private static let findingLimit = 50

    /// The distinct findings, in order.
    private(set) var findings: [ConformanceFinding] = []
    /// The seed of the current input, which every finding about it contains.
    var seed: UInt64?
    private let record = InputRecord()
    private let watchdog: CallWatchdog
    private let clock = SystemClock()

    init() {
        watchdog = CallWatchdog(clock: clock)
    }

    /// Adds a finding, with the current seed, unless it is there already.
    func find(_ problem: String) {
        let finding = ConformanceFinding(prefix + problem)
        guard findings.count < Self.findingLimit, !findings.contains(finding) else { return }
        findings.append(finding)
    }

    /// Adds a finding unless a condition holds.
    func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
        if !isRight { find(problem()) }
    }

    /// Calls the plugin; the input is written to the file first.
    ///
    /// A call that takes too long is a finding; one that does not return ends the program.
    func call<Result, Failure>(
        _ input: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        record.write(prefix + input)
        let start = clock.now()
        watchdog.callStarted("\(prefix)the call does not return; its input is in \(record.path)")
        defer {
            watchdog.callEnded()
            if clock.now().seconds(since: start) > Self.secondsPerCall {
                find("a call took longer than \(Self.secondsPerCall) s")
            }
        }
        return try body()
    }

    private var prefix: String { seed.map { "seed \($0): " } ?? "" }
}
