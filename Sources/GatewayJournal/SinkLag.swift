package import Platform

/// The lag of a sink: its pending records in the journal.
public struct SinkLag: Sendable, Equatable {
    /// The number of pending records.
    public var records: Int64 = 0
    /// Their size in bytes, rounded to whole batches.
    public var bytes: Int64 = 0
    /// The age of the oldest one in seconds; nil if there is none.
    public var seconds: Double?

    /// Makes a lag of zero.
    public init() {}
}

/// The state of a sink in the journal in addition to its ledger entry.
struct SinkPosition {
    /// The number of its account; it changes when a reload replaces the account.
    var account = 0
    var limit: BufferLimit
    /// The cursor after a drop during which the sink may have been writing earlier records.
    var droppedTo: Int64?
    /// The batch with the first pending record; nil if there is none.
    var oldest: JournalPlace?
    /// The episode of drops while its buffer is full.
    var drops: LossEpisode?
    /// The extent of what it has not verified; nil if nothing was stored since it verified.
    var unverified: UnverifiedExtent?
    /// Whether it should verify at once what was released.
    var isVerificationWanted = false
    /// The records that were released because there was no space.
    var releases = LossEpisode()
    /// What was delivered again to a new or earlier store; nil if nothing was.
    var restored: Redelivery?

    /// Whether its lag exceeds the limit, if the next batch is at `end`.
    func exceedsLimit(at end: JournalPlace, _ time: JournalTime) -> Bool {
        guard let oldest else { return false }
        if end.position - oldest.position > limit.bytes { return true }
        return limit.seconds.map { time.age(of: oldest) > $0 } ?? false
    }

    /// Returns the bound of the records that it may still get, if the next batch is at `end`.
    func bound(at end: JournalPlace, _ time: JournalTime) -> JournalBound {
        var bound = JournalBound()
        bound.position = end.position - limit.bytes
        if let seconds = limit.seconds { time.bound(seconds: seconds, in: &bound) }
        return bound
    }

    /// Whether its lag is small enough to end an episode of drops.
    func keepsUp(at end: JournalPlace) -> Bool {
        oldest.map { end.position - $0.position <= limit.bytes / 2 } ?? true
    }
}

/// A period in which a sink loses records, which limits the rate of log lines about it.
package struct LossEpisode {
    /// The time between two log lines in seconds.
    package static let logIntervalSeconds = 600.0

    /// The number of records lost in it.
    package private(set) var count: Int64 = 0
    private var lastLogged: BootInstant?

    /// Starts a period.
    package init() {}

    /// Adds to the count; true if it is time to log.
    package mutating func note(_ lost: Int64, at now: BootInstant) -> Bool {
        count += lost
        if let lastLogged, now.seconds(since: lastLogged) < Self.logIntervalSeconds { return false }
        lastLogged = now
        return true
    }
}
