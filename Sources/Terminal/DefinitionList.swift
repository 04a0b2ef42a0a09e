import Platform

/// Terms with a text beside each, such as settings and their meanings.
package enum DefinitionList {
    private static let indent = 2
    private static let gap = 3

    /// A line for each term; in a narrow terminal, the texts are continued on further lines.
    ///
    /// - Parameter width: The width of the terminal; nil for other outputs, which get whole lines.
    package static func text(
        _ rows: [(term: String, text: String)], within width: TerminalWidth? = nil
    ) -> String {
        let columns = rows.map { TextWidth.columns(of: $0.term) }.max() ?? 0
        return text(rows, termColumns: columns, within: width)
    }

    /// A line for each term, of several lists that are aligned.
    package static func text(
        _ rows: [(term: String, text: String)], termColumns: Int, within width: TerminalWidth?
    ) -> String {
        let blank = String(repeating: " ", count: indent)
        return rows.flatMap { row in
            StyledLine(blank + row.term).beside(
                row.text, from: indent + termColumns + gap, within: width)
        }.map { "\(width?.text($0) ?? $0.text(.plain, .unicode))\n" }.joined()
    }
}

extension StyledLine {
    /// The fewest columns for a text beside another one.
    private static let fewestColumns = 24
    /// The indent of a text below the one that it does not fit beside.
    private static let lowerIndent = 6

    /// This line with a text beside it; what is too wide for the terminal is on further lines.
    ///
    /// - Parameter width: The width of the terminal; nil for other outputs.
    package func beside(
        _ text: String, from column: Int, within width: TerminalWidth?
    ) -> [StyledLine] {
        let text = LogFormat.escaped(text)
        let room = width.map { $0.columns - column } ?? .max
        guard TextWidth.columns(of: text) > room else { return [adding(text, at: column)] }
        let words = text.split(separator: " ").map { TextWidth.columns(of: String($0)) }
        let isBelow = room < max(Self.fewestColumns, words.max() ?? 0)
        let indent = isBelow ? min(Self.lowerIndent, column) : column
        let parts = TextWidth.wrapped(text, columns: max(room + column - indent, 1))
        guard !parts.isEmpty else { return [self] }
        let beginnings = (isBelow ? [] : [self]) + parts.map { _ in StyledLine() }
        return (isBelow ? [self] : [])
            + zip(beginnings, parts).map { $0.adding($1, at: indent) }
    }

    private func adding(_ text: String, at column: Int) -> StyledLine {
        var line = self
        line.pad(to: column)
        line.append(text)
        return line
    }
}
