import Platform

/// Which records are committed at once, and which wait for others.
///
/// Commits of a file that are cheap may follow each other in a burst: a few devices that report once
/// a second then need no timer. The rule is a leaky bucket, in the form that needs one time only (GCRA,
/// ITU-T I.371).
struct CommitPace {
    /// The time of one commit: at a steady rate, one commit at once in this time, in seconds.
    static let quietSeconds = 0.05
    /// The commits at once of a file that does not wait for the disk.
    static let cheapBurst = 4

    private let burst: Int
    /// The theoretical arrival time: when the bucket is empty.
    private var end: BootInstant

    /// Makes a pace that counts the start as a commit.
    ///
    /// - Parameter waitsForDisk: Whether every commit waits for the disk.
    init(waitsForDisk: Bool, at start: BootInstant) {
        burst = waitsForDisk ? 1 : Self.cheapBurst
        end = start
        noteCommit(at: start)
    }

    /// Whether the next record is committed at once.
    func isQuiet(at now: BootInstant) -> Bool {
        end.seconds(since: now) <= Double(burst - 1) * Self.quietSeconds
    }

    /// Notes a commit of any kind.
    mutating func noteCommit(at now: BootInstant) {
        let last = now.adding(seconds: Double(burst - 1) * Self.quietSeconds)
        end = min(max(end, now), last).adding(seconds: Self.quietSeconds)
    }
}
