/// A text table with headings and aligned columns.
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
    }

    private struct Row {
        let cells: [Cell]
        /// A line below the cells.
        let note: String?
    }

    private let headings: [String]
    /// The right-aligned columns.
    private let rightColumns: Range<Int>
    private var rows: [Row] = []

    package init(_ headings: [String], right rightColumns: Range<Int> = 0..<0) {
        self.headings = headings
        self.rightColumns = rightColumns
    }

    /// Adds a row, with an optional line below it.
    package mutating func add(_ cells: [Cell], note: String? = nil) {
        rows.append(Row(cells: cells, note: note))
    }

    /// The text of the table.
    ///
    /// - Parameter width: The width that rows are cut to; the lines below them stay whole.
    package func text(_ painter: Painter, within width: TerminalWidth? = nil) -> String {
        let widths = headings.indices.map { column in
            rows.map { TextWidth.columns(of: $0.cells[column].text) }
                .reduce(TextWidth.columns(of: headings[column]), max)
        }
        func text(_ cells: [Cell]) -> String {
            let line = line(cells, widths)
            return (width?.text(line, painter) ?? line.text(painter, .unicode)) + "\n"
        }
        return text(headings.map { Cell($0, .heading) })
            + rows.map { row in text(row.cells) + (row.note.map { "  \($0)\n" } ?? "") }.joined()
    }

    private func line(_ cells: [Cell], _ widths: [Int]) -> StyledLine {
        var line = StyledLine()
        var end = 0
        for (column, cell) in cells.enumerated() {
            end += widths[column]
            if rightColumns.contains(column) {
                line.pad(to: end - TextWidth.columns(of: cell.text))
            }
            line.append(cell.text, cell.style)
            guard column < cells.count - 1 else { break }
            end += 2
            line.pad(to: end)
        }
        return line
    }
}
