package import Terminal

/// The division of a screen's rows among its parts.
package struct ScreenRows: Equatable {
    /// The size of the heart rate.
    package let digits: BlockDigits
    /// The rows of zones and figures.
    package let middle: Int
    /// The rows of the plot; 0 if there is no room.
    package let plot: Int
    /// The number of parts with an empty row before them.
    package let blanks: Int

    /// The sizes of the heart rate, the largest first.
    package static let sizes = [
        BlockDigits(face: .fine, dot: .blocks(rows: 3)),
        BlockDigits(face: .sturdy, dot: .blocks(rows: 3)),
        BlockDigits(face: .fine, dot: .blocks(rows: 2)),
        BlockDigits(face: .sturdy, dot: .blocks(rows: 2)),
        BlockDigits(face: .fine, dot: .blocks(rows: 1)),
        smallest,
    ]
    package static let smallest = BlockDigits(face: .sturdy, dot: .blocks(rows: 1))

    /// The widest heart rate.
    package static let widest = "000"
    /// The width of the heart rate in columns.
    package var digitColumns: Int { digits.columns(of: Self.widest) ?? 0 }

    private static let minimumPlot = 3
    private static let goodPlot = 4
    private static let maximumPlot = 12
    private static let minimumMiddle = 4
    private static let maximumBlankCount = 3

    package init(digits: BlockDigits, middle: Int, plot: Int, blanks: Int) {
        self.digits = digits
        self.middle = middle
        self.plot = plot
        self.blanks = blanks
    }

    /// Divides rows among the digits, the middle and the plot.
    ///
    /// - Parameters:
    ///   - wanted: The rows that the middle needs.
    ///   - digitColumns: The columns available for three digits.
    package init(_ rows: Int, middle wanted: Int, digitColumns: Int) {
        let others = wanted + Self.goodPlot + Self.maximumBlankCount
        digits =
            Self.sizes.first {
                $0.rows + others <= rows && $0.columns(of: Self.widest) ?? .max <= digitColumns
            } ?? Self.smallest
        var rest = max(rows - digits.rows, 0)
        var middle = min(wanted, rest)
        rest -= middle
        // The plot has priority over the last figures.
        let missing = Self.minimumPlot - rest
        if missing > 0, middle - missing >= Self.minimumMiddle {
            middle -= missing
            rest += missing
        }
        self.middle = middle
        blanks =
            rest < Self.minimumPlot ? rest : min(rest - Self.minimumPlot, Self.maximumBlankCount)
        plot = rest < Self.minimumPlot ? 0 : min(rest - blanks, Self.maximumPlot)
    }
}
