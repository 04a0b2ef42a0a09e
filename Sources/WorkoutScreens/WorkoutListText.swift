import GatewayCore
package import HealthModel
import Platform
import Terminal
package import Workouts

/// The text of workout lists.
package struct WorkoutListText {
    package let style: ScreenStyle

    /// Creates a value from its parts.
    package init(
        style: ScreenStyle
    ) {
        self.style = style
    }

    /// One row per workout, and the number of workouts shown.
    ///
    /// - Parameter ids: The ids of all workouts, for short ids that are unique among them.
    package func text(_ workouts: [Workout], among ids: [RecordID]) -> String {
        guard !workouts.isEmpty else { return "\(ending(0, of: ids.count))\n" }
        var table = TextTable(
            [
                "START", "ACTIVITY", "PERSON", "DURATION", "DISTANCE", "ENERGY", "AVERAGE", "ID",
            ], right: 3..<7)
        for (workout, id) in zip(workouts, Self.shortIDs(workouts.map(\.id), among: ids)) {
            let cells = [
                String(LocalTime.text(workout.start, style.calendar).prefix(16)),
                LogFormat.escaped(workout.activity.name),
                workout.person.map(LogFormat.escaped) ?? "-",
                WorkoutFigures.clock(workout.seconds), distance(of: workout), energy(of: workout),
                average(of: workout), id,
            ]
            table.add(cells.map { TextTable.Cell(style.characters.fitting($0)) })
        }
        return table.text(style.painter, within: style.width)
            + "\(ending(workouts.count, of: ids.count))\n"
    }

    /// One line per workout in progress, or a line if there is none.
    package func text(_ lives: [LiveWorkout]) -> String {
        guard !lives.isEmpty else { return "no workout in progress\n" }
        return style.texts(lives.map(line)).map { "\($0)\n" }.joined()
    }

    /// Prefixes of ids, all of the same length, that are unique among all ids, as commands need them.
    package static func shortIDs(_ ids: [RecordID], among all: [RecordID]) -> [String] {
        let texts = ids.map(\.description)
        let different = Set(ids).count
        let known = Set(all + ids).map(\.description)
        let length = (shortest..<36).first { length in
            let prefixes = Set(texts.map { $0.prefix(length) })
            return prefixes.count == different
                && known.count { prefixes.contains($0.prefix(length)) } == different
        }
        return texts.map { String($0.prefix(length ?? 36)) }
    }

    /// Minimum length of an id prefix.
    private static let shortest = 8

    private func ending(_ shown: Int, of count: Int) -> String {
        "\(shown) of \(count) workout\(count == 1 ? "" : "s")"
    }

    private func line(_ live: LiveWorkout) -> StyledLine {
        let heart = HeartRateStatus(live.heart, zones: ZonePalette(bounds: live.zoneBounds))
        let state = live.stateLabel
        let hasTitle = heart.title != "count/min"
        let fields: [(text: String?, style: Painter.Style)] = [
            (live.person, .heading), (live.activity.name, .plain), (state.text, state.style),
            (WorkoutFigures.clock(live.measures.activeSeconds), .plain),
            ("lap \(live.lapNumber)", .plain), (heart.number.map { "\($0) count/min" }, .plain),
            (hasTitle ? heart.title : nil, heart.style),
            (live.measures.distanceMeters.map(style.figures.distance), .plain),
            (live.measures.energyKilocalories.map(style.figures.energy), .plain),
            (live.backupDevice.map { "backup: \($0)" }, .plain),
        ]
        var line = StyledLine()
        for field in fields {
            guard let text = field.text else { continue }
            if line.width > 0 { line.append("  ") }
            line.append(text, field.style)
        }
        return line
    }

    private func distance(of workout: Workout) -> String {
        workout.distance.map { style.figures.distance($0.value) } ?? "-"
    }

    private func energy(of workout: Workout) -> String {
        workout.activeEnergy.map { style.figures.energy($0.value) } ?? "-"
    }

    private func average(of workout: Workout) -> String {
        workout.averageHeartRate.map { style.figures.rate($0.value) } ?? "-"
    }
}
