/// A text table with headings and aligned columns.
///
/// When a terminal is too narrow, less important columns go to a line below each row, and then the widest
/// cells are cut, so that those beside them remain.
package struct TextTable {
    package struct Cell {
        package var text: String
        package var style = Painter.Style.plain

        package init(_ text: String, _ style: Painter.Style = .plain) {
            self.text = text
            self.style = style
        }

        /// Creates a cell with a number.
        package init(_ number: Int64) {
            self.init("\(number)")
        }

        /// Whether it says nothing, so that it need not be in the line below the row.
        var isNothing: Bool { text == "-" || text == "0" }
    }

    /// What becomes of the lines below a row that are wider than the terminal.
    package enum LowerLines {
        /// They stay whole, and the terminal wraps them.
        case whole
        /// They are wrapped, as a full screen needs it, and the notes have a style.
        case wrapped(Painter.Style)
    }

    private struct Row {
        let cells: [Cell]
        /// A line below the cells.
        let note: String?
    }

    private let headings: [String]
    /// The right-aligned columns.
    private let rightColumns: Range<Int>
    /// The columns that go below their row when the table is too wide, in this order.
    private let lowerColumns: [Int]
    private var rows: [Row] = []

    /// Makes a table without rows.
    ///
    /// - Parameter lower: The headings of the columns that go below their row in a narrow terminal, the least
    ///   important one first.
    package init(
        _ headings: [String], right rightColumns: Range<Int> = 0..<0, lower: [String] = []
    ) {
        self.headings = headings
        self.rightColumns = rightColumns
        lowerColumns = lower.compactMap { headings.firstIndex(of: $0) }
    }

    /// Adds a row, with an optional line below it.
    package mutating func add(_ cells: [Cell], note: String? = nil) {
        rows.append(Row(cells: cells, note: note))
    }

    /// The text of the table.
    ///
    /// - Parameters:
    ///   - width: The width of the terminal; rows that do not fit are cut.
    ///   - lower: What becomes of the lines below them.
    package func text(
        _ painter: Painter, within width: TerminalWidth? = nil, lower: LowerLines = .whole
    ) -> String {
        let whole = wholeWidths
        let upper = upperColumns(whole, within: width)
        let widths = narrowed(whole, upper, within: width)
        func text(_ line: StyledLine) -> String {
            (width?.text(line, painter) ?? line.text(painter, .unicode)) + "\n"
        }
        return text(line(headings.map { Cell($0, .heading) }, widths, upper))
            + rows.map { row in
                text(line(row.cells, widths, upper))
                    + lowerLines(row.cells, without: upper, within: width).map { line in
                        if case .wrapped = lower { return text(line) }
                        return line.text(painter, width?.characters ?? .unicode) + "\n"
                    }.joined()
                    + noteLines(row, within: width, lower).map(text).joined()
                    + wholeNote(row, lower)
            }.joined()
    }

    /// The width of the table in columns, when nothing is below its rows or cut.
    package var width: Int { Self.total(wholeWidths, Array(headings.indices)) }

    private var wholeWidths: [Int] {
        headings.indices.map { column in
            rows.map { StyledLine($0.cells[column].text).width }
                .reduce(TextWidth.columns(of: headings[column]), max)
        }
    }

    private func wholeNote(_ row: Row, _ lower: LowerLines) -> String {
        guard case .whole = lower, let note = row.note else { return "" }
        return "  \(note)\n"
    }

    private func noteLines(
        _ row: Row, within width: TerminalWidth?, _ lower: LowerLines
    ) -> [StyledLine] {
        guard case .wrapped(let style) = lower, let note = row.note else { return [] }
        let columns = width.map { max($0.columns - Self.gap, 1) } ?? .max
        return TextWidth.wrapped(note, columns: columns).map { StyledLine("  \($0)", style) }
    }

    /// The columns that fit beside each other, without as few of the less important ones as possible.
    private func upperColumns(_ widths: [Int], within width: TerminalWidth?) -> [Int] {
        var upper = Array(headings.indices)
        guard let width else { return upper }
        var lower = lowerColumns[...]
        while Self.total(widths, upper) > width.columns, let column = lower.popFirst() {
            upper.removeAll { $0 == column }
        }
        return upper
    }

    /// The widths with which all columns fit beside each other; none is narrower than its heading.
    private func narrowed(
        _ widths: [Int], _ columns: [Int], within width: TerminalWidth?
    ) -> [Int] {
        guard let width else { return widths }
        var narrowed = widths
        var excess = Self.total(widths, columns) - width.columns
        for column in columns.sorted(by: { widths[$0] > widths[$1] }) where excess > 0 {
            let cut = min(excess, widths[column] - TextWidth.columns(of: headings[column]))
            narrowed[column] -= cut
            excess -= cut
        }
        return narrowed
    }

    /// The width of columns beside each other.
    private static func total(_ widths: [Int], _ columns: [Int]) -> Int {
        columns.map { widths[$0] }.reduce(0, +) + gap * max(columns.count - 1, 0)
    }

    private static let gap = 2

    private func line(_ cells: [Cell], _ widths: [Int], _ columns: [Int]) -> StyledLine {
        var line = StyledLine()
        var end = 0
        for column in columns {
            let cell = StyledLine(cells[column].text, cells[column].style)
                .cut(to: widths[column])
            end += widths[column]
            if rightColumns.contains(column) { line.pad(to: end - cell.width) }
            line.append(cell)
            guard column != columns.last else { break }
            end += Self.gap
            line.pad(to: end)
        }
        return line
    }

    /// The cells of the other columns that say something, with their headings: `source: straps; battery: 87 %`.
    private func lowerLines(
        _ cells: [Cell], without upper: [Int], within width: TerminalWidth?
    ) -> [StyledLine] {
        var lines: [StyledLine] = []
        for (column, cell) in cells.enumerated() where !upper.contains(column) && !cell.isNothing {
            var part = StyledLine("\(headings[column].lowercased()): ")
            part.append(cell.text, cell.style)
            let length = part.width + Self.gap
            if let last = lines.last, last.width + length <= width?.columns ?? .max {
                lines[lines.count - 1].append("; ")
            } else {
                lines.append(StyledLine("  "))
            }
            lines[lines.count - 1].append(part)
        }
        return lines
    }
}
