import GatewayCore
import HealthStore
import Platform

/// When the sink looks for what it need not keep any longer, how much of it goes with a batch, and when
/// that is told.
struct RetentionSchedule {
    /// The time between two looks, in seconds.
    static let lookSeconds = 60.0
    /// The time between two lines of the log, in seconds.
    static let reportSeconds = 3_600.0
    /// With each batch at least so many records go.
    private static let minimumRecords = 2_000

    private let retention: Retention
    private var nextLook: BootInstant?
    private var looks = 0
    /// The epoch of the clock at the last look.
    private var lastEpoch: Int?
    /// What the last look found out of bounds is removed with this batch and the next ones.
    private var bounds: Retention.Bounds?
    private var removed = 0
    private var nextReport: BootInstant?

    init(_ retention: Retention) {
        self.retention = retention
    }

    /// Beyond what records go now; nil when it is not time to look.
    mutating func bounds(at now: BootInstant, _ clock: any GatewayClock) -> Retention.Bounds? {
        guard !retention.isUnlimited else { return nil }
        if nextLook.map({ now >= $0 }) ?? true {
            nextLook = now.adding(seconds: Self.lookSeconds)
            looks += 1
            bounds = look(at: now, clock)
        }
        return bounds
    }

    /// A clock that somebody has just set, or a machine that has just started with a wrong one, must not
    /// make everything look old: unless the clock is kept right, age counts from the next look on.
    private mutating func look(at now: BootInstant, _ clock: any GatewayClock) -> Retention.Bounds {
        let epoch = clock.epoch()
        defer { lastEpoch = epoch.number }
        var bounds = retention.bounds(at: epoch.instant(at: now))
        if clock.isSynchronized() != true, epoch.number != lastEpoch { bounds.start = nil }
        return bounds
    }

    /// How many go with a batch: more than come, so that there is an end, and never so many that the
    /// batch waits for long.
    static func records(withBatchOf count: Int) -> Int {
        max(minimumRecords, 2 * count)
    }

    /// So many were removed.
    mutating func note(removed count: Int) { removed += count }

    /// There is nothing more to do until the next look.
    mutating func rest() { bounds = nil }

    /// It is another file now.
    mutating func lookAtOnce() { nextLook = nil }

    /// How many were removed, when it is time to tell.
    mutating func report(at now: BootInstant) -> Int? {
        // The first is told as soon as it is done, or after a minute when it takes longer.
        let isDue = nextReport.map { now >= $0 } ?? (bounds == nil || looks > 1)
        guard removed > 0, isDue else { return nil }
        nextReport = now.adding(seconds: Self.reportSeconds)
        defer { removed = 0 }
        return removed
    }
}
