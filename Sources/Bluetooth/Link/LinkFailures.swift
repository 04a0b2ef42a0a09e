import GatewayCore
import Platform

/// The failures of one device, and how long to wait after them.
struct LinkFailures: Sendable {
    /// The number of consecutive links without the required service.
    private(set) var missingServices = 0
    /// The number of consecutive links that ended without a value and without a reply.
    private(set) var silentLinks = 0
    /// The number of consecutive links that ended before they had delivered a value.
    private(set) var consecutive = 0
    private var transient = 0
    /// The number of consecutive failures that were no disturbance of the radio.
    private(set) var others = 0
    private var backoff: Backoff
    private var pairingBackoff: Backoff
    private var suspicionBackoff: Backoff

    init(_ policy: LinkPolicy) {
        backoff = policy.backoff
        pairingBackoff = policy.pairingBackoff
        suspicionBackoff = policy.suspicionBackoff
    }

    /// Counts a failure and returns how long to wait, in seconds: hardly at all for the first ones.
    mutating func wait(after kind: Link.Ending.Kind, policy: LinkPolicy) -> Double {
        if kind != .unavailable, kind != .adapterFull { consecutive += 1 }
        switch kind {
        case .unavailable: return policy.unavailableRetrySeconds
        // It waits for another adapter, or for a free connection.
        case .adapterFull: return policy.fastRetrySeconds
        case .unpaired: return pairingBackoff.next()
        case .suspected: return suspicionBackoff.next()
        case .transient:
            transient += 1
            if transient <= policy.transientLimit { return policy.fastRetrySeconds }
        case .failure, .missingService, .refused:
            others += 1
            if kind == .missingService { missingServices += 1 }
            if others <= policy.failureLimit { return policy.fastRetrySeconds }
        }
        return backoff.next()
    }

    /// Counts a link that ended because the device does not reply.
    mutating func linkWasSilent() {
        silentLinks += 1
    }

    /// Resets the counts of links without a value.
    mutating func dataReceived() {
        silentLinks = 0
        consecutive = 0
    }

    /// Resets the count of links without the required service.
    mutating func serviceFound() {
        missingServices = 0
    }

    /// Resets the pauses of a device that was not paired.
    mutating func paired() {
        pairingBackoff.reset()
        suspicionBackoff.reset()
    }

    /// Resets all counts after the link was healthy for long enough.
    mutating func reset() {
        transient = 0
        others = 0
        missingServices = 0
        silentLinks = 0
        backoff.reset()
        paired()
    }
}
