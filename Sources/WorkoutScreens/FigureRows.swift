package import Terminal
package import Workouts

/// The figures of a live workout as labelled rows, the most important first.
package struct FigureRows {
    package struct Row: Equatable {
        package let label: String
        /// The values, the most important first.
        package let values: [String]
        package var style = Painter.Style.plain

        /// The label and as many values as fit a width; the first one is always there.
        package func line(
            labelColumns: Int, separator: String, columns: Int, labelStyle: Painter.Style = .dim
        ) -> StyledLine {
            var line = StyledLine(label, labelStyle)
            line.pad(to: labelColumns)
            for (place, value) in values.enumerated() {
                let part = StyledLine(place == 0 ? value : separator + value, style)
                guard place == 0 || line.width + part.width <= columns else { break }
                line.append(part)
            }
            return line.cut(to: columns)
        }
    }

    private let live: LiveWorkout
    private let figures: WorkoutFigures

    /// The separator between the values of a row.
    private let separator = "   "

    package init(_ live: LiveWorkout, _ figures: WorkoutFigures) {
        self.live = live
        self.figures = figures
    }

    /// The maximum number of rows.
    package static let maximumCount = 8

    package var rows: [Row] {
        [lap, heart, energy, distance, power, steps, variability, gaps].compactMap { $0 }
    }

    /// The rows with aligned values.
    package func lines(columns: Int, rows limit: Int) -> [StyledLine] {
        let shown = rows.prefix(max(limit, 0))
        let labelWidth = shown.map { TextWidth.columns(of: $0.label) }.max() ?? 0
        return shown.map {
            $0.line(labelColumns: labelWidth + 2, separator: separator, columns: columns)
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

    private var power: Row? {
        let average = live.measures.power.map { "average \(figures.power($0.average))" }
        return row("power", [live.power.map(figures.power), average])
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
            label: "gaps", values: ["\(live.gapCount) (no samples)"], style: .warning)
    }

    private func row(_ label: String, _ values: [String?]) -> Row? {
        let values = values.compactMap { $0 }
        return values.isEmpty ? nil : Row(label: label, values: values)
    }
}
