import Platform

/// How far a sink is behind in the journal.
public struct SinkLag: Sendable, Equatable {
    /// How many records it has not dealt with.
    public var records: Int64 = 0
    /// How many bytes they take, counted by whole batches.
    public var bytes: Int64 = 0
    /// How long ago the oldest of them was committed, in seconds; nil when there is none.
    public var seconds: Double?

    /// Makes a lag of nothing.
    public init() {}
}

/// What the journal knows of a sink beside its part of the ledger.
struct SinkPosition {
    /// Another number when its account is another one than before a reload.
    var account = 0
    var limit: BufferLimit
    /// Where its cursor jumped to while it may have been at work on records before that.
    var droppedTo: Int64?
    /// The batch with the first record that it has not dealt with; nil when there is none.
    var oldest: JournalPlace?
    /// While it lags too far and loses records.
    var drops: LossEpisode?

    /// Whether it is further behind than it may be, when the next batch stands at `end`.
    func isTooFar(at end: JournalPlace, _ time: JournalTime) -> Bool {
        guard let oldest else { return false }
        if end.position - oldest.position > limit.bytes { return true }
        return limit.seconds.map { time.age(of: oldest) > $0 } ?? false
    }

    /// What it may still have, when the next batch stands at `end`.
    func bound(at end: JournalPlace, _ time: JournalTime) -> JournalBound {
        var bound = JournalBound()
        bound.position = end.position - limit.bytes
        if let seconds = limit.seconds { time.bound(seconds: seconds, in: &bound) }
        return bound
    }

    /// Whether it keeps up well enough for an episode of drops to be over.
    func keepsUp(at end: JournalPlace) -> Bool {
        oldest.map { end.position - $0.position <= limit.bytes / 2 } ?? true
    }
}

/// A time in which a sink does not get all records, so that it is said now and then and not every time.
struct LossEpisode {
    /// How often it is said while it lasts, in seconds.
    static let sayingSeconds = 600.0

    private(set) var count: Int64 = 0
    private var said: BootInstant?

    /// Counts, and says whether it is time for a word.
    mutating func note(_ lost: Int64, at now: BootInstant) -> Bool {
        count += lost
        if let said, now.seconds(since: said) < Self.sayingSeconds { return false }
        said = now
        return true
    }
}
