import GatewayCore

/// How often a stream is read that never rests.
///
/// Bytes of a slow device are read as they come. Where piece follows piece, each would cost a wake-up of
/// its own, and a thousand lines a second would keep a small machine busy: then the stream is left alone
/// until a good piece can be there, for ``longestPauseNanoseconds`` at most. A flood never waits.
struct ReadPace: Sendable {
    /// So many reads must follow each other before the stream counts as one that never rests.
    static let readsInARow = 8
    /// They follow each other when no more than this lies between two.
    static let longestGapNanoseconds: Int64 = 10_000_000
    /// The longest pause before a read.
    static let longestPauseNanoseconds: Int64 = 50_000_000
    /// So many bytes are worth a read.
    static let goodPiece = 2_048

    /// When the stream is read next; nil when there is nothing to wait for.
    private(set) var pauseEnd: BootInstant?
    private var lastRead: BootInstant?
    private var reads = 0

    /// So many bytes were read at this moment.
    mutating func note(_ count: Int, at moment: BootInstant) {
        let gap = lastRead.map { moment.nanoseconds(since: $0) }
        lastRead = moment
        let limit = pauseEnd == nil ? Self.longestGapNanoseconds : 2 * Self.longestPauseNanoseconds
        // A clock that stands still, as in a test, tells nothing of a pace.
        reads = gap.map { (1...limit).contains($0) ? reads + 1 : 0 } ?? 0
        pauseEnd = nil
        guard let gap, reads >= Self.readsInARow, count < Self.goodPiece else { return }
        let untilGoodPiece = gap.multipliedReportingOverflow(by: Int64(Self.goodPiece))
        let pause = untilGoodPiece.overflow ? .max : untilGoodPiece.partialValue / Int64(count)
        pauseEnd = moment.adding(nanoseconds: min(pause, Self.longestPauseNanoseconds))
    }

    /// Nothing was there to read.
    mutating func noteNothing() {
        // After a pause that means rest; between two pieces that follow each other closely it does not.
        if pauseEnd != nil { reads = 0 }
        pauseEnd = nil
    }
}
