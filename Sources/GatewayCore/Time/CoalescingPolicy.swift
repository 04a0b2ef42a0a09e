package import Platform

/// How often something is looked at that comes in small pieces and never rests.
///
/// What comes now and then is taken as it comes. Where piece follows piece, each would cost a wake-up of
/// its own, and a thousand lines a second would keep a small machine busy: then what comes is left to
/// gather until a good piece can be there, for a longest pause at most. A flood never waits.
package struct CoalescingPolicy: Sendable {
    /// So many pieces must follow each other before this counts as something that never rests.
    static let piecesInARow = 8

    /// Pieces follow each other when no more than this lies between two.
    private let longestGapNanoseconds: Int64
    private let maximumPauseNanoseconds: Int64
    /// So much is worth being taken at once.
    private let goodPiece: Int

    /// When it is looked at next; nil when there is nothing to wait for.
    package private(set) var pauseEnd: BootInstant?
    private var last: BootInstant?
    private var pieces = 0

    /// Makes the pace of something of which nothing has come yet.
    package init(
        goodPiece: Int, longestGapNanoseconds: Int64, maximumPauseNanoseconds: Int64
    ) {
        self.goodPiece = goodPiece
        self.longestGapNanoseconds = longestGapNanoseconds
        self.maximumPauseNanoseconds = maximumPauseNanoseconds
    }

    /// A piece of this size was taken at this moment.
    package mutating func note(_ size: Int, at moment: BootInstant) {
        let gap = last.map { moment.nanoseconds(since: $0) }
        last = moment
        let limit = pauseEnd == nil ? longestGapNanoseconds : 2 * maximumPauseNanoseconds
        // A clock that stands still, as in a test, tells nothing of a pace.
        pieces = gap.map { $0 > 0 && $0 <= limit ? pieces + 1 : 0 } ?? 0
        pauseEnd = nil
        guard let gap, pieces >= Self.piecesInARow, size < goodPiece else { return }
        let untilGoodPiece = gap.multipliedReportingOverflow(by: Int64(goodPiece))
        let pause =
            untilGoodPiece.overflow ? .max : untilGoodPiece.partialValue / Int64(max(size, 1))
        pauseEnd = moment.adding(nanoseconds: min(pause, maximumPauseNanoseconds))
    }

    /// Nothing was there to take.
    package mutating func noteNothing() {
        // After a pause that means rest; between two pieces that follow each other closely it does not.
        if pauseEnd != nil { pieces = 0 }
        pauseEnd = nil
    }
}
