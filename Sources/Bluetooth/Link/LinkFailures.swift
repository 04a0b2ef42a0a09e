import GatewayCore
import Platform

/// Counts what went wrong with one device, and says how long to wait.
struct LinkFailures: Sendable {
    /// How many links in a row lacked the wanted service.
    private(set) var missingServices = 0
    private var transient = 0
    private var others = 0
    private var backoff: Backoff

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    /// How long to wait after one more failure, in seconds: hardly at all while they are few.
    mutating func wait(after kind: Link.Ending.Kind, policy: LinkPolicy) -> Double {
        switch kind {
        case .noRoom: return policy.noRoomSeconds
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

    /// The device has offered what is wanted of it.
    mutating func serviceWasThere() {
        missingServices = 0
    }

    /// The device has worked for long enough.
    mutating func reset() {
        self = LinkFailures(backoff: backoff)
        backoff.reset()
    }
}
