import GatewayCore
import Platform

/// How many links each adapter can have: as configured, or as its refusals have shown.
///
/// An adapter does not tell its limit. It is known from the first refusal on, and tried again after
/// a pause, because other programs may have ended links that are not seen here.
struct ConnectionLimits: Sendable {
    private struct Refused {
        /// The number of links that the adapter had when it refused another one.
        var count: Int
        /// When to try one more; nil while that is under way.
        var retryTime: BootInstant?
        var backoff: Backoff

        /// The number of links that it may have now.
        var allowed: Int { retryTime == nil ? count + 1 : count }
    }

    /// The configured limit of every adapter.
    private let configured: Int?
    private let backoff: Backoff
    private var refused: [String: Refused] = [:]

    init(_ policy: LinkPolicy) {
        configured = policy.linksPerAdapter
        backoff = policy.connectionLimitBackoff
    }

    /// When the first adapter may be tried again.
    var wakeTime: BootInstant? {
        refused.values.reduce(nil) { BootInstant.earlier($0, $1.retryTime) }
    }

    /// Whether an adapter with this number of links can have another one.
    func isFull(_ adapter: String, linkCount: Int) -> Bool {
        if let configured, linkCount >= configured { return true }
        return refused[adapter].map { linkCount >= $0.allowed } ?? false
    }

    /// The number of links that an adapter can have, as far as known.
    func limit(of adapter: String) -> Int? {
        [configured, refused[adapter]?.count].compactMap { $0 }.min()
    }

    /// Notes that an adapter with this number of links has refused another one.
    mutating func refused(_ adapter: String, linkCount: Int, at now: BootInstant) {
        var entry = refused[adapter] ?? Refused(count: linkCount, backoff: backoff)
        entry.count = linkCount
        entry.retryTime = now.adding(seconds: entry.backoff.next())
        refused[adapter] = entry
    }

    /// Notes that an adapter has this number of links; more than the limit disproves it.
    mutating func established(_ adapter: String, linkCount: Int) {
        guard let entry = refused[adapter] else { return }
        if linkCount > entry.count { refused[adapter] = nil }
    }

    /// Forgets what the refusals of an adapter have shown: a link of another program has ended, or
    /// the adapter was off.
    mutating func forget(_ adapter: String) { refused[adapter] = nil }

    /// Lets each adapter whose pause is over have one more link, if a device waits for one;
    /// otherwise its limit is forgotten.
    mutating func tryAgain(at now: BootInstant, isAwaited: Bool) {
        for (adapter, entry) in refused where entry.retryTime ?? now <= now {
            refused[adapter]?.retryTime = nil
            if !isAwaited { refused[adapter] = nil }
        }
    }
}
