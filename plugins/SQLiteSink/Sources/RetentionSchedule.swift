import GatewayCore
import Platform
import Readings
import SQLiteStore

/// The schedule of removing expired records: when to check, how many to remove with a batch, and
/// when to log.
struct RetentionSchedule {
    /// The time between two checks, in seconds.
    static let checkSeconds = 60.0
    /// The time between two log lines, in seconds.
    static let reportSeconds = 3_600.0
    /// The minimum number of records to remove with each batch.
    private static let minimumRecords = 2_000

    private let retention: Retention
    private var nextCheck: BootInstant?
    private var checks = 0
    /// The epoch of the clock at the last check.
    private var lastEpoch: Int?
    /// The bounds of the last check, for this batch and the next ones.
    private var bounds: Retention.Bounds?
    private var removed = 0
    private var nextReport: BootInstant?

    init(_ retention: Retention) {
        self.retention = retention
    }

    /// Returns the bounds of the records to retain; nil if it is not time to remove any.
    mutating func bounds(at now: BootInstant, _ clock: any GatewayClock) -> Retention.Bounds? {
        guard !retention.isUnlimited else { return nil }
        if nextCheck.map({ now >= $0 }) ?? true {
            nextCheck = now.adding(seconds: Self.checkSeconds)
            checks += 1
            bounds = check(at: now, clock)
        }
        return bounds
    }

    /// Returns the current bounds, without an age if the clock is not synchronized and was just set
    /// or started: a wrong clock must not expire everything.
    private mutating func check(at now: BootInstant, _ clock: any GatewayClock) -> Retention.Bounds
    {
        let epoch = clock.epoch()
        defer { lastEpoch = epoch.number }
        var bounds = retention.bounds(at: epoch.instant(at: now))
        if clock.isSynchronized() != true, epoch.number != lastEpoch { bounds.start = nil }
        return bounds
    }

    /// Returns the number of records to remove with a batch: more than arrive, but few enough not
    /// to delay the batch.
    static func records(withBatchOf count: Int) -> Int {
        max(minimumRecords, 2 * count)
    }

    /// Adds to the number of removed records.
    mutating func note(removed count: Int) { removed += count }

    /// Stops removing until the next check.
    mutating func pause() { bounds = nil }

    /// Checks with the next batch, because the file is a different one.
    mutating func checkImmediately() { nextCheck = nil }

    /// Returns the number of removed records if it is time to log.
    mutating func report(at now: BootInstant) -> Int? {
        // The first removal is logged when it is done, or after a minute.
        let isDue = nextReport.map { now >= $0 } ?? (bounds == nil || checks > 1)
        guard removed > 0, isDue else { return nil }
        nextReport = now.adding(seconds: Self.reportSeconds)
        defer { removed = 0 }
        return removed
    }
}
