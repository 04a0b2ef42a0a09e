package import Terminal

/// How the rows of a screen are divided among what stands on it.
package struct ScreenRows: Equatable {
    /// In what size the heart rate is drawn.
    package let digits: BlockDigits
    /// The rows of zones and figures.
    package let middle: Int
    /// The rows of the plot; 0 when it has no room.
    package let plot: Int
    /// How many of the parts have an empty row before them.
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

    /// As wide as any heart rate.
    package static let widest = "000"
    /// How many columns the heart rate takes.
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

    /// Divides rows among the digits, the middle, which wants so many, and the plot.
    /// - Parameter digitColumns: How many columns three digits may take.
    package init(_ rows: Int, middle wanted: Int, digitColumns: Int) {
        let others = wanted + Self.goodPlot + Self.maximumBlankCount
        digits =
            Self.sizes.first {
                $0.rows + others <= rows && $0.columns(of: Self.widest) ?? .max <= digitColumns
            } ?? Self.smallest
        var rest = max(rows - digits.rows, 0)
        var middle = min(wanted, rest)
        rest -= middle
        // A plot is worth more than the last figures.
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
