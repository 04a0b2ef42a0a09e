package import Terminal
package import Workouts

/// The active and elapsed time of a workout, shown beside the heart rate.
package struct ClockPane {
    private let live: LiveWorkout
    private let active: String

    package init(_ live: LiveWorkout) {
        self.live = live
        active = WorkoutFigures.clock(live.measures.activeSeconds)
    }

    private static let small = BlockDigits(face: .fine, dot: .halves)
    private static let large = BlockDigits(face: .sturdy, dot: .blocks(rows: 1))
    private static let narrow = BlockDigits(face: .sturdy, dot: .narrow)

    /// The width of the time in large digits; at least that of an hour, so that the layout is stable.
    package var drawnColumns: Int {
        let columns = [active, "0:00:00"].map { Self.small.columns(of: $0) ?? 0 }
        return columns.max() ?? 0
    }
    /// The width of the time as text.
    package var textColumns: Int { max(active.count, Self.label.count) }

    private static let label = "active"

    /// The active time as large as it fits, the elapsed time, and the lap time if there is room.
    package func lines(columns: Int, rows: Int, _ characters: TerminalCharacters) -> [StyledLine] {
        guard columns >= textColumns else { return [] }
        let elapsed = WorkoutFigures.clock(live.measures.elapsedSeconds)
        guard let size = size(columns: columns, rows: rows - 1, characters) else {
            return textLines(elapsed).prefix(rows).map { $0.cut(to: columns) }
        }
        let label = StyledLine("\(Self.label) time", .dim)
        var elapsedLine = StyledLine("elapsed ", .dim)
        elapsedLine.append(elapsed)
        let drawn = size.lines(of: active).map { StyledLine($0) }
        guard rows >= drawn.count + 2 else {
            var line = label
            line.append("   ")
            line.append(elapsedLine)
            return drawn + [line.width <= columns ? line : elapsedLine.cut(to: columns)]
        }
        let top = [label] + drawn + [elapsedLine]
        return top + lapLines(size, columns: columns, rows: rows - top.count)
    }

    private func lapLines(_ size: BlockDigits, columns: Int, rows: Int) -> [StyledLine] {
        let lap = WorkoutFigures.clock(live.lap.activeSeconds)
        guard rows >= size.rows + 2, let width = size.columns(of: lap), width <= columns else {
            return []
        }
        let label = StyledLine("lap \(live.lapNumber)", .dim)
        return [StyledLine(), label] + size.lines(of: lap).map { StyledLine($0) }
    }

    private func size(
        columns: Int, rows: Int, _ characters: TerminalCharacters
    ) -> BlockDigits? {
        let sizes = [Self.large, characters == .unicode ? Self.small : Self.narrow]
        return sizes.first { $0.rows <= rows && $0.columns(of: active) ?? .max <= columns }
    }

    private func textLines(_ elapsed: String) -> [StyledLine] {
        [
            StyledLine(active, .heading), StyledLine(Self.label, .dim), StyledLine(),
            StyledLine(elapsed), StyledLine("elapsed", .dim),
        ]
    }
}
