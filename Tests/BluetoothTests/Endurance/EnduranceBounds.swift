import Platform

@testable import Bluetooth

/// What the policy of the links allows.
enum EnduranceBounds {
    private static let policy = LinkPolicy()

    /// The longest time until a strap that is well has its link.
    ///
    /// Its pause ends with an advertisement, at most a minute later, or by itself; then two other
    /// straps may keep the adapters busy with attempts that time out, and it has its own failure.
    static let returnSeconds: (other: Double, pairing: Double) = {
        let attempt = policy.connectSeconds + policy.disconnectSeconds + policy.resolveSeconds
        let other =
            max(EnduranceRun.seconds.advertisement.rarely, policy.backoff.longest) + 2 * attempt
        return (other, policy.pairingBackoff.longest + other)
    }()

    /// The longest time until an adapter discovers again: the longest pause, and a step that is not
    /// confirmed.
    static let discoverySeconds =
        Discovery.longestPause + Discovery.confirmationSeconds.started
        + Discovery.answerSeconds

    /// The longest usual time until the link is back.
    ///
    /// After a few failures a strap is tried again at once, and otherwise as soon as it may be after
    /// an advertisement; one that wants pairing after the first pause. Only failures that are not
    /// forgotten make these times longer.
    static let medianReturnSeconds: (quick: Double, pairing: Double) = {
        let quick =
            policy.attemptSpacingSeconds + Double(policy.failureLimit) * policy.fastRetrySeconds
        return (quick, policy.pairingBackoff.first + quick)
    }()

    /// The number of attempts that these causes explain: a link that was lost or refused, and
    /// requests without an answer, after so many of which the central gives the link up.
    static func attempts(losses: Int, unanswered: Int) -> Int {
        losses + unanswered / policy.unansweredLimit
    }
}
