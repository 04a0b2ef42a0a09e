/// The policy for coalescing a continuous stream of small pieces.
///
/// Occasional pieces are handled immediately. In a continuous stream each piece would cost a
/// wake-up, so the reader pauses until a piece of the target size is expected, up to a maximum
/// pause. Pieces above the target size never wait. Two devices with the same period take turns at any
/// distance, so a gap counts together with the one before.
package struct CoalescingPolicy: Sendable {
    /// The number of consecutive pieces that make a continuous stream.
    package static let minimumRunLength = 8

    /// The maximum mean of two consecutive gaps between pieces.
    private let longestGapNanoseconds: Int64
    private let maximumPauseNanoseconds: Int64
    /// The target size of a piece.
    private let targetSize: Int

    /// The end of the pause; nil if there is none.
    package private(set) var pauseEnd: BootInstant?
    private var last: BootInstant?
    /// The gap before the last piece.
    private var lastGap: Int64 = 0
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
        // A clock that does not advance, as in a test, gives no rate.
        pieces = gap.map { $0 > 0 && isContinuous($0) ? pieces + 1 : 0 } ?? 0
        lastGap = max(gap ?? 0, 0)
        pauseEnd = nil
        guard let gap, pieces >= Self.minimumRunLength, size < targetSize else { return }
        let untilGoodPiece = gap.multipliedReportingOverflow(by: Int64(targetSize))
        let pause =
            untilGoodPiece.overflow ? .max : untilGoodPiece.partialValue / Int64(max(size, 1))
        pauseEnd = moment.adding(nanoseconds: min(pause, maximumPauseNanoseconds))
    }

    private func isContinuous(_ gap: Int64) -> Bool {
        guard pauseEnd == nil else { return gap <= 2 * maximumPauseNanoseconds }
        return gap <= 2 * longestGapNanoseconds - min(lastGap, 2 * longestGapNanoseconds)
    }

    /// Notes that no piece was available.
    package mutating func noteNothing() {
        // Without a pause before, this does not end the stream.
        if pauseEnd != nil { pieces = 0 }
        pauseEnd = nil
    }
}
