import GatewayCore
import Platform

/// The rank of a device among those that wait for an adapter; the lowest is connected next.
///
/// A device that was received recently is probably there. A device that does not answer delays the
/// others, so it comes after those that have not failed; the longer it has waited, the less its
/// failures count. Disturbances of the radio do not count: they happen to all.
struct ConnectRank: Hashable, Comparable {
    private let isStale: Bool
    private let failures: Int
    private let lastAttempt: BootInstant
    private let address: BluetoothAddress

    init(_ link: Link, at now: BootInstant) {
        let policy = link.policy
        isStale =
            link.lastSeen.map { now.seconds(since: $0) > policy.freshSeconds } ?? true
        lastAttempt = link.lastAttempt ?? .distantPast
        address = link.address
        let counted = min(link.failures.others, policy.failureLimit)
        let waited = link.lastAttempt.map { now.seconds(since: $0) } ?? 0
        failures = max(0, counted - Int(min(waited / policy.forgivenessSeconds, 1_000)))
    }

    static func < (first: ConnectRank, second: ConnectRank) -> Bool {
        (first.isStale ? 1 : 0, first.failures, first.lastAttempt, first.address)
            < (second.isStale ? 1 : 0, second.failures, second.lastAttempt, second.address)
    }
}
