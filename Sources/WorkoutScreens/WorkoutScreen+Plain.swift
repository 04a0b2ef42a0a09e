package import Terminal
import Workouts

extension WorkoutScreen {
    /// The screen as plain text for a small terminal, the most important lines first.
    package func plainLines(columns: Int, rows: Int) -> [StyledLine] {
        let heart = heart
        var first = StyledLine()
        if let number = heart.number { first.append("\(number) ", .heading) }
        first.append(heart.title, heart.style)
        let state = live.stateLabel
        var second = StyledLine("\(WorkoutFigures.clock(live.measures.activeSeconds)) ", .heading)
        second.append(state.text, state.style)
        var lines = [first, second]
        if heart.number == nil {
            lines += TextWidth.wrapped(heart.hint, columns: columns).map { StyledLine($0) }
        }
        if let backup = live.backupDevice {
            lines.append(StyledLine("backup: \(backup)", .warning))
        }
        lines += plainPlan
        lines += FigureRows(live, style.figures).rows.map { row in
            row.line(
                labelColumns: TextWidth.columns(of: row.label) + 1, separator: " ",
                columns: columns, labelStyle: row.style)
        }
        // In a very small terminal the keys are left out, but not a question or an answer.
        guard rows >= 4 || isConfirmingStop || notice != nil else { return lines }
        return lines.prefix(rows - 1) + [plainKeyLine(columns: columns)]
    }

    private var plainPlan: [StyledLine] {
        guard let step = live.step else { return [] }
        var line = StyledLine()
        if let advice = step.advice { line.append("\(advice.label) ", advice.style) }
        line.append("\(step.number)/\(step.count) \(step.name) \(step.remaining)")
        return [line]
    }

    /// The keys, or the result of the last one, in as few columns as possible.
    private func plainKeyLine(columns: Int) -> StyledLine {
        if isConfirmingStop { return question(columns: columns) }
        if let notice { return StyledLine(notice, .warning) }
        return keyNames(columns: columns)
    }

    /// The keys and the result of the last one.
    package func keyLine(columns: Int) -> StyledLine {
        if isConfirmingStop { return question(columns: columns) }
        var line = StyledLine(" ")
        line.append(keyNames(columns: columns - 1))
        guard let notice else { return line }
        let right = StyledLine("\(notice) ", .warning)
        return line.width + right.width < columns
            ? line.justified(right, columns: columns) : StyledLine(" \(notice)", .warning)
    }

    private func question(columns: Int) -> StyledLine {
        var line = StyledLine(" stop? s again ", .alert)
        let rest = StyledLine(" any other key cancels")
        line.append(line.width + rest.width <= columns ? rest : StyledLine(" else cancel"))
        return line
    }

    private func keyNames(columns: Int) -> StyledLine {
        let line = keyNames(between: "  ")
        return line.width <= columns ? line : keyNames(between: " ")
    }

    private func keyNames(between separator: String) -> StyledLine {
        var keys: [(key: String, action: String)] = []
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
            line.append(" \(key.action)")
        }
        return line
    }

    /// The current step of the plan in two lines: what to do, and the progress.
    package func planLines(columns: Int) -> [StyledLine] {
        guard let step = live.step else { return [] }
        var first = StyledLine(" ")
        if let advice = step.advice {
            first.append(" \(advice.label) ", advice.style)
            first.append("  ")
        }
        first.append("step \(step.number) of \(step.count)", .dim)
        first.append("  \(step.name)", .heading)
        var second = StyledLine(" ")
        let rest = StyledLine("\(step.remaining) ")
        let room = min(columns - rest.width - 4, 60)
        if let progress = step.progress, room >= 8 {
            let bar = ShareBar.text(progress, columns: room)
            second.append(bar, .good)
            second.append(
                String(repeating: "░", count: max(room - TextWidth.columns(of: bar), 0)), .dim)
            second.append("  ")
        }
        second.append(rest)
        return [first.cut(to: columns), second.cut(to: columns)]
    }
}

extension LiveWorkout.Advice {
    /// The text of the advice.
    package var label: String {
        switch self {
        case .hold: "hold"
        case .faster: "▲ HARDER"
        case .slower: "▼ EASIER"
        }
    }

    package var style: Painter.Style { self == .hold ? .good : .alert }
}
