import GatewayCore
import Platform

/// How long the life of a link waits for what; all in seconds.
struct LinkPolicy: Sendable {
    /// For the answer to `Connect`.
    ///
    /// BlueZ itself may take 40 s, which is too long for a live display.
    var connectSeconds = 20.0
    /// For the services after the link is there; a Polar H10 needs more than 10 s.
    var resolveSeconds = 20.0
    /// For the objects of services that are said to be there and are not.
    var lateServiceSeconds = 1.0
    /// For one read, write or subscription.
    var operationSeconds = 5.0
    /// For the end of a link that was asked to end.
    var disconnectSeconds = 5.0
    /// Between two attempts when the second one is made because the device was heard.
    var attemptSpacingSeconds = 1.0
    /// Before the next attempt while failures are few.
    var fastRetrySeconds = 0.25
    /// So many failures of a disturbed radio are few.
    var transientLimit = 9
    /// So many failures of any other kind are few.
    var failureLimit = 4
    /// Before the next attempt when the adapter has no more room or the device object is gone.
    var noRoomSeconds = 4.0
    /// Before the next attempt when failures are many.
    var backoff = Backoff(first: 1, longest: 60)
    /// A link that lived so long makes earlier failures forgotten.
    var healthySeconds = 60.0
    /// Between two questions to a device that answers but measures nothing.
    var probeSeconds = 60.0
    /// After so many links in a row without the wanted service what BlueZ remembers of a device that is
    /// not paired is taken for stale.
    var missingServiceLimit = 3
}

extension BootInstant {
    /// Before everything.
    static let distantPast = BootInstant(nanoseconds: .min)

    /// The earlier of two moments, either of which there may not be.
    static func earlier(_ first: BootInstant?, _ second: BootInstant?) -> BootInstant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
