package import Terminal

/// A plot of the heart rate over time.
package struct HeartPlot {
    package struct Point: Equatable {
        /// In seconds, on the axis of the plot.
        package let time: Double
        /// In count/min.
        package let rate: Double

        /// Creates a point.
        package init(time: Double, rate: Double) {
            self.time = time
            self.rate = rate
        }
    }

    /// Maximum time between two points joined by a line, in seconds.
    package static let gapLimitSeconds = 10.0
    /// Minimum height of the plot, in count/min.
    private static let minimumSpan = 10.0

    /// Sorted by time.
    private let points: [Point]
    private let span: ClosedRange<Double>
    private let zones: ZonePalette
    /// Times at which the line is interrupted.
    private let breaks: [Double]

    /// Creates a plot of the points within a time span.
    package init(
        _ points: [Point], span: ClosedRange<Double>, zones: ZonePalette, breaks: [Double] = []
    ) {
        self.points = points.filter {
            $0.rate.isFinite && $0.rate.magnitude < 1e6 && span.contains($0.time)
        }.sorted { $0.time < $1.time }
        self.span = span
        self.zones = zones
        self.breaks = breaks
    }

    /// Whether there is nothing to draw.
    package var isEmpty: Bool { points.isEmpty || span.lowerBound >= span.upperBound }

    /// The rows from the top, with the highest and lowest value at the left; empty if there is no room.
    package func lines(columns: Int, rows: Int, _ characters: TerminalCharacters) -> [StyledLine] {
        guard !isEmpty, rows > 0, let low = points.map(\.rate).min(),
            let high = points.map(\.rate).max()
        else { return [] }
        let (lowText, highText) = ("\(WorkoutFigures.whole(low))", "\(WorkoutFigures.whole(high))")
        let labelWidth = max(lowText.count, highText.count)
        guard columns >= labelWidth + 4 else { return [] }
        let middle = (low + high) / 2
        let reach = max(high - low, Self.minimumSpan) / 2
        let scale = Scale(
            top: middle + reach, height: reach * 2,
            dots: DotField(columns: columns - labelWidth - 1, rows: rows, characters))
        let field = drawn(scale)
        // If both labels are in one row, the highest value is shown.
        var labels = [scale.cellRow(of: low): lowText]
        labels[scale.cellRow(of: high)] = highText
        return (0..<rows).map { row in
            let label = labels[row] ?? ""
            var line = StyledLine(String(repeating: " ", count: labelWidth - label.count) + label)
            line.append("│", .dim)
            line.append(field.text(row: row), zones.style(zones.zone(of: scale.rate(ofCell: row))))
            return line
        }
    }

    /// The vertical scale.
    private struct Scale {
        let top: Double
        let height: Double
        let dots: DotField

        func row(of rate: Double) -> Int {
            Int(((top - rate) / height * Double(dots.height - 1)).rounded())
        }

        func cellRow(of rate: Double) -> Int { row(of: rate) / dots.cellHeight }

        /// The rate in the middle of a row of the terminal.
        func rate(ofCell row: Int) -> Double {
            let dot = (Double(row) + 0.5) * Double(dots.cellHeight) - 0.5
            return top - height * dot / Double(max(dots.height - 1, 1))
        }
    }

    private func drawn(_ scale: Scale) -> DotField {
        var field = scale.dots
        var last: (point: Point, column: Int, row: Int)?
        for point in points {
            let part = (point.time - span.lowerBound) / (span.upperBound - span.lowerBound)
            let column = Int((part * Double(field.width - 1)).rounded())
            let row = scale.row(of: point.rate)
            if let last, isConnected(last.point, point) {
                field.drawLine(from: (last.column, last.row), to: (column, row))
            } else {
                field.set(column, row)
            }
            last = (point, column, row)
        }
        return field
    }

    private func isConnected(_ earlier: Point, _ later: Point) -> Bool {
        later.time - earlier.time <= Self.gapLimitSeconds
            && !breaks.contains { earlier.time <= $0 && $0 < later.time }
    }
}
