public import Platform

/// Keeps something running: when it fails it is started again after a pause.
public struct Supervisor: Sendable {
    /// The waits between a failure and the next start.
    static let backoff = Backoff(first: 0.5, longest: 5)
    /// What ran this long, in seconds, did work: its failure is news, even if it is the same again.
    static let workingSeconds = 1.0
    /// After running this long, in seconds, the waits begin small again.
    static let healthySeconds = 30.0

    private let clock: any GatewayClock
    private let log: Logger
    private let health: Health

    /// Makes a supervisor.
    ///
    /// `log` should bear the name of what is supervised.
    public init(clock: any GatewayClock, log: Logger) {
        self.init(clock: clock, log: log, health: Health())
    }

    /// Makes a supervisor that notes what fails.
    init(clock: any GatewayClock, log: Logger, health: Health) {
        self.clock = clock
        self.log = log
        self.health = health
    }

    /// Runs the operation again and again until the task is cancelled.
    ///
    /// The same failure many times over is logged once; that it is over is seen from what runs.
    public func keepRunning(_ operation: @Sendable () async throws -> Void) async {
        var backoff = Self.backoff
        var lastFailure: String?
        while !Task.isCancelled {
            let start = clock.now()
            health.works(
                from: start.adding(
                    nanoseconds: Int64(clampedNanosecondsOf: Self.workingSeconds)))
            let failure = await Self.failure(of: operation)
            guard !Task.isCancelled else { return }
            health.fail(failure, at: clock.now())
            let duration = clock.now().seconds(since: start)
            if duration >= Self.workingSeconds { lastFailure = nil }
            if duration >= Self.healthySeconds { backoff.reset() }
            report(failure, after: lastFailure)
            lastFailure = failure
            guard (try? await clock.sleep(seconds: backoff.next())) != nil else { return }
        }
    }

    private func report(_ failure: String, after last: String?) {
        if failure == last {
            log.debug("still failing", ["reason": failure])
        } else {
            log.warning("\(failure); trying again until it works")
        }
    }

    private static func failure(of operation: @Sendable () async throws -> Void) async -> String {
        do {
            try await operation()
            return "it ended by itself"
        } catch {
            return "\(error)"
        }
    }
}
