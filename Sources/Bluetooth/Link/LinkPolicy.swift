import GatewayCore
package import Platform

/// The timeouts, pauses and limits of a link; times in seconds.
package struct LinkPolicy: Sendable {
    /// The timeout of `Connect`.
    ///
    /// BlueZ itself may take 40 s, which is too long for a live display.
    package var connectSeconds = 20.0
    /// The timeout of `Connect` while another device waits for the adapter.
    var contendedConnectSeconds = 6.0
    /// The pause before `Connect` is called again while another attempt is in progress.
    var busyConnectSeconds = 0.5
    /// How long an advertisement shows that a device is in range.
    var freshSeconds = 10.0
    /// The time without a sign of an unnamed device after which another one takes its place.
    var replaceSeconds = 60.0
    /// The time that a device has to wait until one of its failures no longer counts in the queue.
    var forgivenessSeconds = 10.0
    /// The timeout of service discovery; a Polar H10 needs more than 10 s.
    package var resolveSeconds = 20.0
    /// The time to wait for service objects that are missing although services are resolved.
    var lateServiceSeconds = 1.0
    /// The timeout of one read, write or subscription.
    package var operationSeconds = 5.0
    /// The timeout of `Disconnect`.
    package var disconnectSeconds = 5.0
    /// The minimum time between two attempts when an advertisement triggers the second one.
    var attemptSpacingSeconds = 1.0
    /// The pause after each of the first failures.
    var fastRetrySeconds = 0.25
    /// The number of consecutive failures from which on they are reported: then, and at powers of ten.
    var reportedFailures = 3
    /// The number of transient failures that are retried quickly.
    var transientLimit = 9
    /// The number of other failures that are retried quickly.
    var failureLimit = 4
    /// The pause when the device object is gone.
    var unavailableRetrySeconds = 4.0
    /// The number of links that each adapter can have; nil while only its refusals tell.
    var linksPerAdapter: Int?
    /// The pauses before an adapter that has refused another link is tried again.
    var connectionLimitBackoff: Backoff
    /// The pauses after further failures.
    var backoff: Backoff
    /// The pauses of a device that requires pairing; it ends them.
    var pairingBackoff: Backoff
    /// The pauses of a device that may require pairing.
    var suspicionBackoff: Backoff
    /// How long a subscription may take after the device was paired.
    var pairedAnswerSeconds = 2.0
    /// The lifetime of a link after which earlier failures are forgotten.
    var healthySeconds = 60.0
    /// The interval between probes of a device that responds but sends no measurements.
    var probeSeconds = 60.0
    /// The number of consecutive requests without an answer after which a session that is set up ends.
    var unansweredLimit = 2
    /// The number of consecutive links without a value and without a reply after which a link is ended
    /// even if another program made it.
    var silentLinkLimit = 2
    /// The number of consecutive links without the required service after which the services that
    /// BlueZ has cached for an unpaired device are considered stale.
    var missingServiceLimit = 3
    /// Whether to report the raw traffic, for a capture.
    var recordsTraffic = false
    /// Whose notifications come over a socket of their own.
    var acquired = AcquiredNotifications.none
    /// Where the jitter of all pauses comes from.
    let random: any RandomNumberGenerator & Sendable

    package init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.random = random
        backoff = Backoff(first: 1, longest: 60, random: random)
        connectionLimitBackoff = Backoff(first: 10, longest: 300, random: random)
        pairingBackoff = Backoff(first: 60, longest: 3_600, random: random)
        suspicionBackoff = Backoff(first: 10, longest: 600, random: random)
    }
}

extension BootInstant {
    /// Earlier than any other instant.
    static let distantPast = BootInstant(nanoseconds: .min)

    /// The earlier of two optional instants.
    package static func earlier(_ first: BootInstant?, _ second: BootInstant?) -> BootInstant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
