import GatewayCore
import Platform

/// Remembers what was written a short while ago, so that a profile without memory may ask again and
/// again.
struct RecentWrites: Sendable {
    /// So many are remembered; a profile has one or two.
    static let limit = 16

    private let pauseSeconds: Double
    /// Oldest first.
    private var writes: [(write: GATTWrite, time: BootInstant)] = []

    /// Makes a memory that reaches back so many seconds.
    init(pauseSeconds: Double) {
        self.pauseSeconds = pauseSeconds
    }

    /// Whether this is to be written now: whether it was not written within the pause.
    ///
    /// Beyond the limit nothing more is written until the oldest one has been forgotten.
    mutating func admit(_ write: GATTWrite, at now: BootInstant) -> Bool {
        writes.removeAll { now.seconds(since: $0.time) >= pauseSeconds }
        guard writes.count < Self.limit, !writes.contains(where: { $0.write == write })
        else { return false }
        writes.append((write, now))
        return true
    }

    /// Forgets everything: the device may have.
    mutating func forget() {
        writes = []
    }
}
