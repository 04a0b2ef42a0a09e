public import Platform

/// Runs an operation and restarts it after a delay when it fails.
public struct Supervisor: Sendable {
    /// The delays before a restart.
    static let backoff = Backoff(first: 0.5, longest: 5)
    /// The time, in seconds, after which a repeated failure is logged again.
    static let workingSeconds = 1.0
    /// The time, in seconds, after which the delays are reset.
    static let healthySeconds = 30.0

    private let clock: any GatewayClock
    private let log: Logger
    private let health: Health

    /// Makes a supervisor.
    ///
    /// `log` should have the name of the supervised component.
    public init(clock: any GatewayClock, log: Logger) {
        self.init(clock: clock, log: log, health: Health())
    }

    /// Makes a supervisor that reports to `health`.
    package init(clock: any GatewayClock, log: Logger, health: Health) {
        self.clock = clock
        self.log = log
        self.health = health
    }

    /// Runs the operation repeatedly until the task is cancelled.
    ///
    /// A repeated failure is logged once; the operation itself logs its recovery.
    public func keepRunning(_ operation: @Sendable () async throws -> Void) async {
        var backoff = Self.backoff
        var lastFailure: String?
        while !Task.isCancelled {
            let start = clock.now()
            health.markHealthy(
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
            log.warning("failed; retrying", ["reason": failure])
        }
    }

    private static func failure(of operation: @Sendable () async throws -> Void) async -> String {
        do {
            try await operation()
            return "ended unexpectedly"
        } catch {
            return LogFormat.cut("\(error)")
        }
    }
}
