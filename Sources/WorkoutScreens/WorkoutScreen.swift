import HealthModel
import Terminal
package import Workouts

/// The screen of a live workout, readable from two metres.
///
/// It fits the size of the terminal and does not rely on colours.
package struct WorkoutScreen {
    /// Minimum width of the drawn screen; a narrower terminal shows plain text.
    package static let minimumColumns = 30
    /// Minimum height of the drawn screen; a lower terminal shows plain text.
    package static let minimumRows = 10
    /// Minimum width for zones and figures side by side.
    package static let wideColumns = 72
    /// Minimum height for one bar per zone on a narrow terminal.
    private static let tallRows = 34

    package let live: LiveWorkout
    package let style: ScreenStyle
    /// Whether a second `s` would stop the workout.
    package var isConfirmingStop = false
    /// Whether the workout continues after leaving the screen.
    package var canLeave = true
    /// Whether the snapshot is outdated because the gateway sends no updates.
    package var isStale = false
    /// The result or error of the last key; nil if there is none.
    package var notice: String?

    package init(_ live: LiveWorkout, style: ScreenStyle) {
        self.live = live
        self.style = style
    }

    /// The lines for a terminal size, from the top.
    package func lines(columns: Int, rows: Int) -> [String] {
        guard columns > 0, rows > 0 else { return [] }
        let isSmall = columns < Self.minimumColumns || rows < Self.minimumRows
        let lines =
            isSmall
            ? plainLines(columns: columns, rows: rows) : drawnLines(columns: columns, rows: rows)
        return style.texts(lines.prefix(rows).map { $0.cut(to: columns) })
    }

    package var zones: ZonePalette { ZonePalette(bounds: live.zoneBounds) }
    package var heart: HeartRateStatus {
        HeartRateStatus(live.heart, zones: zones, isStale: isStale)
    }
    package var zoneBars: ZoneBars? {
        guard !live.measures.zoneSeconds.isEmpty, !live.zoneBounds.isEmpty else { return nil }
        // Zones without a bound are not drawn.
        let seconds = live.measures.zoneSeconds.prefix(live.zoneBounds.count + 1)
        return ZoneBars(seconds: Array(seconds), present: presentZone, zones: zones)
    }

    private var presentZone: Int? {
        guard !isStale, case .rate(_, let zone, _, _) = live.heart else { return nil }
        return zone
    }

    // MARK: Drawn

    private func drawnLines(columns: Int, rows: Int) -> [StyledLine] {
        let isWide = columns >= Self.wideColumns
        let figures = FigureRows(live, style.figures)
        let barRows = zoneBars?.rowCount ?? 0
        let zoneRows = isWide || rows >= Self.tallRows ? barRows : min(barRows, 1)
        let figureCount = figures.rows.count
        let wanted = isWide ? max(zoneRows, figureCount) : zoneRows + figureCount
        let plan = planLines(columns: columns)
        let clock = ClockPane(live)
        let heartLines = heartLines(columns: columns)
        let division = ScreenRows(
            rows - 2 - heartLines.count - plan.count, middle: wanted,
            digitColumns: columns - 3 - (isWide ? clock.drawnColumns : clock.textColumns))
        let middle =
            isWide
            ? sideBySide(figures, columns: columns, rows: division.middle)
            : inOneColumn(figures, columns: columns, rows: division.middle)
        let plot = plotLines(columns: columns, rows: division.plot)
        let parts = [
            [
                header(
                    columns: columns,
                    hasClock: columns - 3 - division.digitColumns >= clock.textColumns)
            ],
            headline(division.digits, clock, columns: columns) + heartLines + plan,
            middle, plot,
        ]
        return stacked(parts, blanks: division.blanks, columns: columns, rows: rows)
    }

    /// The parts separated by the available empty lines, with the keys in the last row.
    private func stacked(
        _ parts: [[StyledLine]], blanks: Int, columns: Int, rows: Int
    ) -> [StyledLine] {
        var lines: [StyledLine] = []
        for (index, part) in parts.enumerated() {
            if (1...max(blanks, 1)).contains(index), blanks > 0 { lines.append(StyledLine()) }
            lines += part
        }
        lines = Array(lines.prefix(rows - 1))
        while lines.count < rows - 1 { lines.append(StyledLine()) }
        return lines + [keyLine(columns: columns)]
    }

    private func header(columns: Int, hasClock: Bool) -> StyledLine {
        var right = StyledLine()
        if let backup = live.backupDevice { right.append("backup: \(backup)", .warning) }
        let lefts = headerFields.map { headerText($0, hasClock: hasClock) }
        let shortest = headerText([], hasClock: hasClock)
        let left = lefts.first { $0.width + right.width < columns } ?? shortest
        if left.width + right.width >= columns { right = StyledLine() }
        let time = StyledLine((right.width > 0 ? "  " : "") + "\(style.time(live.at)) ", .dim)
        if right.width + time.width + left.width < columns {
            right.append(time)
        }
        return left.justified(right, columns: columns)
    }

    /// What the header may name, the most complete first.
    private var headerFields: [[String]] {
        let (activity, person) = (live.activity.name, live.person)
        let location = live.location == .unknown ? [] : [live.location.name]
        return [[activity] + location + [person], [activity, person], [activity]]
    }

    private func headerText(_ fields: [String], hasClock: Bool) -> StyledLine {
        let state = live.stateLabel
        var line = StyledLine(" ")
        line.append(state.style == .alert ? " \(state.text) " : state.text, state.style)
        if !hasClock { line.append(" \(WorkoutFigures.clock(live.measures.activeSeconds))") }
        if !fields.isEmpty { line.append("  \(fields.joined(separator: " · "))") }
        return line
    }

    /// The heart rate in large digits with the time beside it.
    private func headline(_ digits: BlockDigits, _ clock: ClockPane, columns: Int) -> [StyledLine] {
        let number = heart.number ?? "---"
        let width = digits.columns(of: ScreenRows.widest) ?? 0
        let drawn = digits.lines(of: number)
        let left = columns - width - 3
        let beside = clock.lines(
            columns: left, rows: digits.rows, style.characters)
        return (0..<digits.rows).map { row in
            var line = StyledLine()
            let text = row < drawn.count ? drawn[row] : row == digits.rows / 2 ? number : ""
            line.pad(to: 1 + max(width - text.count, 0))
            line.append(text, heart.style == .alert ? .bad : heart.style)
            line.pad(to: width + 3)
            if row < beside.count { line.append(beside[row]) }
            return line
        }
    }

    /// The zone, or the problem and its remedy, in as many lines as necessary.
    private func heartLines(columns: Int) -> [StyledLine] {
        let heart = heart
        var line = StyledLine(" ")
        line.append(heart.style == .alert ? " \(heart.title) " : heart.title, heart.style)
        let hint = StyledLine(heart.hint.isEmpty ? "" : "  \(heart.hint)")
        guard heart.number == nil, line.width + hint.width > columns else {
            line.append(hint)
            return [line.cut(to: columns)]
        }
        return [line]
            + TextWidth.wrapped(heart.hint, columns: columns - 2).map { StyledLine(" \($0)") }
    }

    private func sideBySide(
        _ figures: FigureRows, columns: Int, rows: Int
    ) -> [StyledLine] {
        let half = min(columns / 2 - 2, 70)
        let bars = zoneBars.map { bars in
            bars.rowCount <= rows
                ? bars.lines(columns: half - 1) : [bars.line(columns: half - 1)]
        }
        let start = bars == nil ? 1 : half + 3
        let texts = figures.lines(columns: columns - start - 1, rows: rows)
        return (0..<rows).map { row in
            var line = StyledLine(" ")
            if let bars, row < bars.count { line.append(bars[row]) }
            line.pad(to: start)
            if row < texts.count { line.append(texts[row]) }
            return line
        }
    }

    private func inOneColumn(
        _ figures: FigureRows, columns: Int, rows: Int
    ) -> [StyledLine] {
        let room = rows - figures.rows.count
        let bars = zoneBars.map { bars in
            bars.rowCount <= room
                ? bars.lines(columns: columns - 2) : [bars.line(columns: columns - 2)]
        }
        let zones = bars ?? []
        let lines = zones + figures.lines(columns: columns - 2, rows: rows - zones.count)
        return lines.prefix(rows).map(indented)
    }

    private func plotLines(columns: Int, rows: Int) -> [StyledLine] {
        let points = live.plot.filter { $0.secondsAgo.isFinite && $0.secondsAgo >= 0 }
        guard rows > 0, let oldest = points.map(\.secondsAgo).max() else { return [] }
        let steps = [120.0, 300, 600, 900, 1_800, 3_600]
        let span = steps.first { $0 >= oldest } ?? oldest
        let plot = HeartPlot(
            points.map { HeartPlot.Point(time: -$0.secondsAgo, rate: $0.rate) },
            span: -span...0, zones: zones)
        let hasAxis = rows > 3
        var lines = plot.lines(
            columns: columns - 2, rows: hasAxis ? rows - 1 : rows, style.characters)
        if hasAxis, !lines.isEmpty {
            let minutes = "\(WorkoutFigures.whole(span / 60)) min ago"
            lines.append(
                StyledLine("    \(minutes)", .dim)
                    .justified(StyledLine("now", .dim), columns: columns - 2))
        }
        return lines.map(indented)
    }

    private func indented(_ line: StyledLine) -> StyledLine {
        var indented = StyledLine(" ")
        indented.append(line)
        return indented
    }
}
