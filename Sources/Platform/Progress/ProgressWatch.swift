/// The pure part of the watchdog: when to ask the loops, when to report progress, and when to report that
/// there is none.
///
/// Times are those of `CLOCK_MONOTONIC` in microseconds, by which systemd measures too: it does not count
/// while the machine is suspended, and a step of the wall clock does not change it.
package struct ProgressWatch: Sendable {
    /// The next thing to do.
    package enum Step: Equatable, Sendable {
        /// Ask all loops.
        case ask
        /// Report progress: all loops have answered.
        case ping(isRecovery: Bool)
        /// Report that a loop has not answered for this number of seconds.
        case report(seconds: Int)
        /// Wait for an answer or the next time.
        case wait
    }

    private enum State {
        case resting
        case asked(since: UInt64, deadline: UInt64)
        case hung
    }

    /// The shortest interval within which a loop that works can be told from one that hangs.
    package static let shortestInterval: UInt64 = shortestPatience / 3 * 8
    /// The time that every loop has: a journal that cannot be written waits a second before it tries
    /// again, and a simulated sensor a second for its next value, on a machine that may be busy.
    private static let shortestPatience: UInt64 = 3_000_000
    /// The shortest time between two rounds, so that no interval keeps a processor busy.
    private static let shortestPeriod: UInt64 = 100_000

    /// The time between two rounds of questions: half the time that systemd allows between two pings.
    private let period: UInt64
    /// How long a loop may take: the report must come before systemd ends the process.
    private let patience: UInt64
    private var state = State.resting
    private var nextRound: UInt64 = 0

    /// Makes a watch for the time within which systemd expects a ping.
    ///
    /// Below ``shortestInterval`` systemd may end the process before a report, or without a hang.
    package init(intervalMicroseconds: UInt64) {
        period = max(intervalMicroseconds / 2, Self.shortestPeriod)
        patience = max(period / 4 * 3, Self.shortestPatience)
    }

    /// How much later than planned a look may be before it shows that this process was stopped.
    private var slack: UInt64 { patience / 6 }

    /// When to look again; nil for the next answer only.
    package var wakeTime: UInt64? {
        switch state {
        case .resting: nextRound
        case .asked(_, let deadline): deadline
        case .hung: nil
        }
    }

    /// Determines what to do now.
    package mutating func step(now: UInt64, isAnswered: Bool) -> Step {
        switch state {
        case .resting:
            guard now >= nextRound else { return .wait }
            nextRound = now + period
            state = .asked(since: now, deadline: now + patience)
            return .ask
        case .asked, .hung:
            if isAnswered {
                defer { state = .resting }
                return .ping(isRecovery: isHung)
            }
            return lookAtDeadline(now: now)
        }
    }

    private var isHung: Bool {
        if case .hung = state { true } else { false }
    }

    private mutating func lookAtDeadline(now: UInt64) -> Step {
        guard case .asked(let since, let deadline) = state, now >= deadline else { return .wait }
        guard now <= deadline + slack else {
            // Nothing of this process has run for a while, so the loops had less time, too.
            state = .asked(since: since, deadline: now + slack)
            return .wait
        }
        state = .hung
        return .report(seconds: Int((now - since + 500_000) / 1_000_000))
    }
}
