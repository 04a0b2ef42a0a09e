import GatewayCore
import Terminal
package import WorkoutScreens

/// A plot of a measure by week: bars from zero, or the line of an average.
package struct TrendPlot {
    /// Maximum width of a plot.
    private static let widest = 100
    private static let lineRows = 8

    private let weeks: [TrendWeek]
    private let measure: TrendMeasure
    private let style: ScreenStyle
    private let columns: Int

    /// Creates a plot.
    ///
    /// - Parameter columns: The width of the output.
    package init(_ weeks: [TrendWeek], _ measure: TrendMeasure, style: ScreenStyle, columns: Int) {
        self.weeks = weeks
        self.measure = measure
        self.style = style
        self.columns = min(columns, Self.widest)
    }

    /// The lines; empty when no week has a value.
    package var text: String {
        let largest = weeks.compactMap { measure.value(of: $0) }.max() ?? 0
        guard largest > 0 else { return "" }
        let lines = measure.isAverage ? line : bars(upTo: largest)
        return style.texts([StyledLine(measure.title, .heading).cut(to: columns)] + lines).map {
            "\($0)\n"
        }
        .joined()
    }

    /// `2026-11-16`, the local date of the start of a week.
    static func date(of week: TrendWeek, _ style: ScreenStyle) -> String {
        String(LocalTime.text(week.span.lowerBound, style.calendar).prefix(10))
    }

    // MARK: Bars

    private func bars(upTo largest: Double) -> [StyledLine] {
        let texts = weeks.map { measure.text(of: $0, style.figures) }
        let width = texts.map(TextWidth.columns).max() ?? 0
        return zip(weeks, texts).map { week, text in
            var line = StyledLine(Self.date(of: week, style), .dim)
            line.pad(to: line.width + 2 + width - TextWidth.columns(of: text))
            line.append("\(text)  ")
            let room = max(columns - line.width, 0)
            let share = (measure.value(of: week) ?? 0) / largest
            line.append(measure == .zones ? zones(of: week, share, room) : bar(share, room))
            return line.cut(to: columns)
        }
    }

    private func bar(_ share: Double, _ room: Int) -> StyledLine {
        StyledLine(ShareBar.text(share, columns: room), .good)
    }

    /// A bar that is divided among the zones, drawn with their numbers.
    private func zones(of week: TrendWeek, _ share: Double, _ room: Int) -> StyledLine {
        let bounds = [Double](repeating: 0, count: max(week.zoneSeconds.count - 1, 0))
        let palette = ZonePalette(bounds: bounds)
        let whole = Int((share * Double(room)).rounded())
        var line = StyledLine()
        for (zone, count) in ShareBar.columns(week.zoneSeconds, among: whole).enumerated() {
            line.append(String(repeating: "\(zone % 10)", count: count), palette.style(zone))
        }
        return line
    }

    // MARK: A line

    private var line: [StyledLine] {
        let points = weeks.enumerated().compactMap { index, week in
            measure.value(of: week).map { HeartPlot.Point(time: Double(index), rate: $0) }
        }
        let end = Double(max(weeks.count - 1, 1))
        let plot = HeartPlot(points, span: 0...end, zones: ZonePalette(bounds: []))
        var lines = plot.lines(columns: columns, rows: Self.lineRows, style.characters)
        guard !lines.isEmpty, let first = weeks.first, let last = weeks.last else { return [] }
        lines.append(
            StyledLine("    \(Self.date(of: first, style))", .dim).justified(
                StyledLine(Self.date(of: last, style), .dim), columns: columns))
        return lines
    }
}
