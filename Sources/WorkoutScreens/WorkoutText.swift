import GatewayCore
package import HealthModel
import Terminal
package import Workouts

/// The text of a recorded workout: totals, laps, zones, heart rate plot and events.
package struct WorkoutText {
    /// Maximum width of the plot.
    private static let widestPlot = 100
    private static let plotRows = 8
    private static let barColumns = 24
    private static let valueColumn = 14

    package let recorded: RecordedWorkout
    package let style: ScreenStyle
    /// The heart rate recovery in the first minute; nil if unknown.
    package var recovery: Quantity?
    /// The width of the terminal; 80 if there is none.
    package var columns = 80

    /// Creates a value from its parts.
    package init(
        recorded: RecordedWorkout, style: ScreenStyle, recovery: Quantity? = nil, columns: Int = 80
    ) {
        self.recorded = recorded
        self.style = style
        self.recovery = recovery
        self.columns = columns
    }

    private var workout: Workout { recorded.workout }
    private var measures: WorkoutMeasures { recorded.measures }
    private var figures: WorkoutFigures { style.figures }
    private var zones: ZonePalette { ZonePalette(bounds: recorded.zones?.lowerBounds ?? []) }

    /// The whole text, without empty parts.
    package var text: String {
        let parts = [summary, laps, zoneTable, plot, WorkoutEventText(recorded, style: style).text]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    // MARK: Summary

    private var summary: String {
        var title = StyledLine(workout.activity.name, .heading)
        if workout.location != .unknown { title.append(" · \(workout.location.name)") }
        if let person = workout.person { title.append(" · \(person)") }
        let lines =
            [style.width.map { title.cut(to: $0.columns) } ?? title]
            + rows.flatMap { label, value in
                StyledLine("  \(label)", .dim)
                    .beside(value, from: Self.valueColumn, within: style.width)
            }
        return style.texts(lines).map { "\($0)\n" }.joined()
    }

    private var rows: [(label: String, value: String)] {
        let rows: [(String, String?)] = [
            ("time", time), ("duration", duration),
            ("heart rate", measures.heartRate.map { "\(figures.spread($0)) count/min" }),
            ("energy", energy), ("distance", distance), ("power", power),
            ("steps", steps),
            ("RMSSD", measures.rmssdMilliseconds.map(figures.milliseconds)),
            ("recovery", recoveryText), ("id", workout.id.description),
        ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }

    private var time: String {
        let (start, end) = (
            LocalTime.text(workout.start, style.calendar),
            LocalTime.text(workout.end, style.calendar)
        )
        let isOneDay = start.prefix(10) == end.prefix(10)
        return
            "\(start.prefix(19)) to \(end.dropFirst(isOneDay ? 11 : 0).prefix(isOneDay ? 8 : 19))"
    }

    private var duration: String {
        let active = WorkoutFigures.clock(measures.activeSeconds)
        let elapsed = WorkoutFigures.clock(measures.elapsedSeconds)
        return active == elapsed ? active : "\(active), \(elapsed) with pauses"
    }

    private var energy: String? {
        measures.energyKilocalories.map { energy in
            let methods = measures.energyMethods.sorted().map(\.displayText).joined(separator: "; ")
            return figures.energy(energy) + (methods.isEmpty ? "" : ", \(methods)")
        }
    }

    private var distance: String? {
        let speed = Self.speed(of: measures).map { figures.speed($0, of: workout.activity) }
        let parts = [measures.distanceMeters.map(figures.distance), speed].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private var steps: String? {
        let parts = [
            measures.stepCount.map { "\(WorkoutFigures.whole($0))" },
            measures.cadence.map { "cadence \(figures.spread($0)) /min" },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private var power: String? {
        let work = measures.workKilojoules.map { ", work \(WorkoutFigures.whole($0)) kJ" }
        return measures.power.map { "\(figures.spread($0)) W\(work ?? "")" }
    }

    private var recoveryText: String? {
        recovery?.converted(to: .countPerMinute).map {
            "\(figures.rate($0.value)) count/min in the first minute"
        }
    }

    /// The average speed, from the distance if known.
    private static func speed(of measures: WorkoutMeasures) -> Double? {
        guard let meters = measures.distanceMeters, measures.activeSeconds > 0 else {
            return measures.speed?.average
        }
        return meters / measures.activeSeconds
    }

    // MARK: Laps

    private var laps: String {
        guard recorded.laps.count > 1 else { return "" }
        let (figures, activity) = (figures, workout.activity)
        let columns: [(heading: String, value: (WorkoutMeasures) -> String?)] = [
            ("DURATION", { WorkoutFigures.clock($0.activeSeconds) }),
            ("DISTANCE", { $0.distanceMeters.map(figures.distance) }),
            (
                WorkoutFigures.speedLabel(of: activity).uppercased(),
                { Self.speed(of: $0).map { figures.speed($0, of: activity) } }
            ),
            ("AVERAGE", { $0.heartRate.map { figures.rate($0.average) } }),
            ("HIGHEST", { $0.heartRate.map { figures.rate($0.maximum) } }),
            ("CADENCE", { $0.cadence.map { figures.rate($0.average) } }),
            ("POWER", { $0.power.map { figures.rate($0.average) } }),
            ("ENERGY", { $0.energyKilocalories.map(figures.energy) }),
        ]
        let known = columns.filter { column in
            recorded.laps.contains { column.value($0.measures) != nil }
        }
        var table = TextTable(
            ["LAP"] + known.map(\.heading), right: 0..<(known.count + 1),
            lower: ["CADENCE", "ENERGY", "POWER", "HIGHEST", "DISTANCE", "AVERAGE"])
        for (index, lap) in recorded.laps.enumerated() {
            let cells = known.map { column in
                TextTable.Cell(style.characters.fitting(column.value(lap.measures) ?? "-"))
            }
            table.add([TextTable.Cell(Int64(index + 1))] + cells)
        }
        return table.text(style.painter, within: style.width)
    }

    // MARK: Zones

    private var zoneTable: String {
        let seconds = measures.zoneSeconds
        let whole = seconds.reduce(0, +)
        guard whole > 0, whole.isFinite, seconds.count == zones.count + 1 else { return "" }
        let room = (style.width?.columns ?? .max) - zoneTable(barColumns: 0).width
        return zoneTable(barColumns: min(max(room, 0), Self.barColumns))
            .text(style.painter, within: style.width)
    }

    private func zoneTable(barColumns: Int) -> TextTable {
        let seconds = measures.zoneSeconds
        let (whole, longest) = (seconds.reduce(0, +), seconds.max() ?? 0)
        var table = TextTable(["ZONE", "COUNT/MIN", "TIME", "SHARE", ""], right: 2..<4)
        for zone in seconds.indices.reversed() {
            let name = zones.name(zone).map { " \($0)" } ?? ""
            let bar = ShareBar.text(seconds[zone] / longest, columns: barColumns)
            table.add([
                TextTable.Cell("\(zone)\(name)", zones.style(zone)),
                TextTable.Cell(style.characters.fitting(zones.range(zone))),
                TextTable.Cell(WorkoutFigures.clock(seconds[zone])),
                TextTable.Cell("\(WorkoutFigures.whole(seconds[zone] / whole * 100)) %"),
                TextTable.Cell(style.characters.fitting(bar), zones.style(zone)),
            ])
        }
        return table
    }

    // MARK: Plot

    private var plot: String {
        let rates = recorded.samples.filter { $0.type == .heartRate }
        let points = rates.compactMap { sample in
            sample.quantity.converted(to: .countPerMinute).map {
                HeartPlot.Point(time: seconds(at: sample.end), rate: $0.value)
            }
        }
        let end = seconds(at: workout.end)
        guard end > 0 else { return "" }
        let breaks = workout.pauses.map { seconds(at: $0.lowerBound) }
        let plot = HeartPlot(points, span: 0...end, zones: zones, breaks: breaks)
        let width = min(columns, Self.widestPlot)
        var lines = plot.lines(columns: width, rows: Self.plotRows, style.characters)
        guard !lines.isEmpty else { return "" }
        lines.append(
            StyledLine("    0:00", .dim).justified(
                StyledLine(WorkoutFigures.clock(end), .dim), columns: width))
        return style.texts(lines).map { "\($0)\n" }.joined()
    }

    private func seconds(at time: Instant) -> Double {
        Double(time.nanoseconds(since: workout.start)) / 1e9
    }
}
