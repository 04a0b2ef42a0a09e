import GatewayCore
import Platform

/// The recent writes to a device, so that a profile without state may request the same write again.
struct RecentWrites: Sendable {
    /// The maximum number of writes; a profile has one or two.
    static let limit = 16

    private let pauseSeconds: Double
    /// Oldest first.
    private var writes: [(write: GATTWrite, time: BootInstant)] = []

    /// Makes an empty list; a write is removed from it after the pause.
    init(pauseSeconds: Double) {
        self.pauseSeconds = pauseSeconds
    }

    /// Whether to write this now: it was not written within the pause.
    ///
    /// At the limit nothing is written until the oldest write has expired.
    mutating func admit(_ write: GATTWrite, at now: BootInstant) -> Bool {
        writes.removeAll { now.seconds(since: $0.time) >= pauseSeconds }
        guard writes.count < Self.limit, !writes.contains(where: { $0.write == write })
        else { return false }
        writes.append((write, now))
        return true
    }

    /// Removes all writes.
    mutating func forget() {
        writes = []
    }
}
