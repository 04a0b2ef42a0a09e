package import Terminal
package import Workouts

/// The figures of a live workout as labelled rows, the most important first.
package struct FigureRows {
    package struct Row: Equatable {
        package let label: String
        package let value: String
        package var style = Painter.Style.plain
    }

    private let live: LiveWorkout
    private let figures: WorkoutFigures

    /// The separator between the values of a row.
    private let separator: String

    package init(_ live: LiveWorkout, _ figures: WorkoutFigures, separator: String = "   ") {
        self.live = live
        self.figures = figures
        self.separator = separator
    }

    /// The maximum number of rows.
    package static let maximumCount = 7

    package var rows: [Row] {
        [lap, heart, energy, distance, steps, variability, gaps].compactMap { $0 }
    }

    /// The rows with aligned values.
    package func lines(columns: Int, rows limit: Int) -> [StyledLine] {
        let shown = rows.prefix(max(limit, 0))
        let labelWidth = shown.map { TextWidth.columns(of: $0.label) }.max() ?? 0
        return shown.map { row in
            var line = StyledLine(row.label, .dim)
            line.pad(to: labelWidth + 2)
            line.append(row.value, row.style)
            return line.cut(to: columns)
        }
    }

    private var lap: Row? {
        let average = live.lap.heartRate.map { "average \(figures.rate($0.average))" }
        let distance = live.lap.distanceMeters.map(figures.distance)
        return row(
            "lap \(live.lapNumber)",
            [WorkoutFigures.clock(live.lap.activeSeconds), average, distance])
    }

    private var heart: Row? {
        guard let spread = live.measures.heartRate else { return nil }
        return row("average", [figures.spread(spread)])
    }

    private var energy: Row? {
        guard let energy = live.measures.energyKilocalories else { return nil }
        let methods = WorkoutFigures.methods(live.measures.energyMethods)
        return row("energy", [figures.energy(energy), methods.isEmpty ? nil : methods])
    }

    private var distance: Row? {
        let speed = live.speed.map { figures.speed($0, of: live.activity) }
        guard let meters = live.measures.distanceMeters else {
            return row(WorkoutFigures.speedLabel(of: live.activity), [speed])
        }
        return row("distance", [figures.distance(meters), speed])
    }

    private var steps: Row? {
        let cadence = live.cadence.map { "\(figures.rate($0)) /min" }
        guard let steps = live.measures.stepCount else { return row("cadence", [cadence]) }
        return row("steps", ["\(WorkoutFigures.whole(steps))", cadence])
    }

    private var variability: Row? {
        row("RMSSD", [live.rmssdMilliseconds.map(figures.milliseconds)])
    }

    private var gaps: Row? {
        guard live.gapCount > 0 else { return nil }
        return Row(
            label: "gaps", value: "\(live.gapCount) (no samples)",
            style: .warning)
    }

    private func row(_ label: String, _ values: [String?]) -> Row? {
        let values = values.compactMap { $0 }
        return values.isEmpty ? nil : Row(label: label, value: values.joined(separator: separator))
    }
}
