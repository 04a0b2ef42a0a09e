package import Terminal
import Workouts

extension WorkoutScreen {
    /// Everything as plain text, the most important first, for a terminal without room for more.
    package func plainLines(columns: Int, rows: Int) -> [StyledLine] {
        let heart = heart
        var first = StyledLine()
        if let number = heart.number { first.append("\(number) ", .heading) }
        first.append(heart.title, heart.style)
        let state = live.stateWords
        var second = StyledLine("\(WorkoutFigures.clock(live.measures.activeSeconds)) ", .heading)
        second.append(state.text, state.style)
        var lines = [first, second]
        if heart.number == nil {
            lines += TextWidth.wrapped(heart.hint, columns: columns).map { StyledLine($0) }
        }
        if let backup = live.backupDevice {
            lines.append(StyledLine("backup: \(backup)", .doubtful))
        }
        lines += plainPlan
        lines += FigureRows(live, style.figures, separator: " ").rows.map {
            StyledLine("\($0.label) \($0.value)", $0.style)
        }
        // The keys can be known by heart; a question or an answer must be seen.
        guard rows >= 4 || asksToStop || notice != nil else { return lines }
        return lines.prefix(rows - 1) + [plainKeyLine(columns: columns)]
    }

    private var plainPlan: [StyledLine] {
        guard let step = live.step else { return [] }
        var line = StyledLine()
        if let advice = step.advice { line.append("\(advice.words) ", advice.style) }
        line.append("\(step.number)/\(step.count) \(step.name) \(step.remaining)")
        return [line]
    }

    /// What the keys do now, or what the last one led to, in as few columns as it takes.
    private func plainKeyLine(columns: Int) -> StyledLine {
        if asksToStop { return question(columns: columns) }
        if let notice { return StyledLine(notice, .doubtful) }
        return keyNames(columns: columns)
    }

    /// What the keys do now, and what the last one led to.
    package func keyLine(columns: Int) -> StyledLine {
        if asksToStop { return question(columns: columns) }
        var line = StyledLine(" ")
        line.append(keyNames(columns: columns - 1))
        guard let notice else { return line }
        let right = StyledLine("\(notice) ", .doubtful)
        return line.width + right.width < columns
            ? line.justified(right, columns: columns) : StyledLine(" \(notice)", .doubtful)
    }

    private func question(columns: Int) -> StyledLine {
        var line = StyledLine(" stop? s again ", .striking)
        let rest = StyledLine(" another key goes on")
        line.append(line.width + rest.width <= columns ? rest : StyledLine(" else go on"))
        return line
    }

    private func keyNames(columns: Int) -> StyledLine {
        let line = keyNames(between: "  ")
        return line.width <= columns ? line : keyNames(between: " ")
    }

    private func keyNames(between separator: String) -> StyledLine {
        var keys: [(key: String, does: String)] = []
        switch live.state {
        case .running: keys = [("p", "pause"), ("l", "lap"), ("s", "stop")]
        case .paused: keys = [("p", "resume"), ("s", "stop")]
        case .notStarted, .prepared, .stopped, .ended: break
        }
        if keys.isEmpty || canLeave { keys.append(("q", "leave")) }
        var line = StyledLine()
        for (index, key) in keys.enumerated() {
            if index > 0 { line.append(separator) }
            line.append(key.key, .heading)
            line.append(" \(key.does)")
        }
        return line
    }

    /// Where the plan is, in two lines: what to do now, and how much of it is done.
    package func planLines(columns: Int) -> [StyledLine] {
        guard let step = live.step else { return [] }
        var first = StyledLine(" ")
        if let advice = step.advice {
            first.append(" \(advice.words) ", advice.style)
            first.append("  ")
        }
        first.append("step \(step.number) of \(step.count)", .faint)
        first.append("  \(step.name)", .heading)
        var second = StyledLine(" ")
        let rest = StyledLine("\(step.remaining) ")
        let room = min(columns - rest.width - 4, 60)
        if let progress = step.progress, room >= 8 {
            let bar = ShareBar.text(progress, columns: room)
            second.append(bar, .good)
            second.append(
                String(repeating: "░", count: max(room - TextWidth.columns(of: bar), 0)), .faint)
            second.append("  ")
        }
        second.append(rest)
        return [first.cut(to: columns), second.cut(to: columns)]
    }
}

extension LiveWorkout.Advice {
    /// What a person is told.
    package var words: String {
        switch self {
        case .hold: "hold"
        case .faster: "▲ HARDER"
        case .slower: "▼ EASIER"
        }
    }

    package var style: Painter.Style { self == .hold ? .good : .striking }
}
