/// The policy for coalescing a continuous stream of small pieces.
///
/// Occasional pieces are handled immediately. In a continuous stream each piece would cost a
/// wake-up, so the reader pauses until a piece of the target size is expected, up to a maximum
/// pause. Pieces above the target size never wait.
package struct CoalescingPolicy: Sendable {
    /// The number of consecutive pieces that make a continuous stream.
    package static let minimumRunLength = 8

    /// The maximum gap between consecutive pieces.
    private let longestGapNanoseconds: Int64
    private let maximumPauseNanoseconds: Int64
    /// The target size of a piece.
    private let targetSize: Int

    /// The end of the pause; nil if there is none.
    package private(set) var pauseEnd: BootInstant?
    private var last: BootInstant?
    private var pieces = 0

    /// Makes a policy for a new stream.
    package init(
        targetSize: Int, longestGapNanoseconds: Int64, maximumPauseNanoseconds: Int64
    ) {
        self.targetSize = targetSize
        self.longestGapNanoseconds = longestGapNanoseconds
        self.maximumPauseNanoseconds = maximumPauseNanoseconds
    }

    /// Notes a piece of a size at a time.
    package mutating func note(_ size: Int, at moment: BootInstant) {
        let gap = last.map { moment.nanoseconds(since: $0) }
        last = moment
        let limit = pauseEnd == nil ? longestGapNanoseconds : 2 * maximumPauseNanoseconds
        // A clock that does not advance, as in a test, gives no rate.
        pieces = gap.map { $0 > 0 && $0 <= limit ? pieces + 1 : 0 } ?? 0
        pauseEnd = nil
        guard let gap, pieces >= Self.minimumRunLength, size < targetSize else { return }
        let untilGoodPiece = gap.multipliedReportingOverflow(by: Int64(targetSize))
        let pause =
            untilGoodPiece.overflow ? .max : untilGoodPiece.partialValue / Int64(max(size, 1))
        pauseEnd = moment.adding(nanoseconds: min(pause, maximumPauseNanoseconds))
    }

    /// Notes that no piece was available.
    package mutating func noteNothing() {
        // Without a pause before, this does not end the stream.
        if pauseEnd != nil { pieces = 0 }
        pauseEnd = nil
    }
}
