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
    package func text(_ painter: Painter) -> String {
        let widths = headings.indices.map { column in
            rows.map { $0.cells[column].text.count }.reduce(headings[column].count, max)
        }
        var text = line(headings.map { Cell($0, .heading) }, widths, painter)
        for row in rows {
            text += line(row.cells, widths, painter)
            if let note = row.note { text += "  \(note)\n" }
        }
        return text
    }

    /// A line without spaces at its end.
    private func line(_ cells: [Cell], _ widths: [Int], _ painter: Painter) -> String {
        let last = cells.lastIndex { $0.text.contains { $0 != " " } } ?? 0
        let columns = cells.indices.prefix(through: last).map { column in
            var text = cells[column].text
            let padding = String(repeating: " ", count: widths[column] - text.count)
            while column == last, text.hasSuffix(" ") { text.removeLast() }
            let painted = painter.paint(text, cells[column].style)
            if rightColumns.contains(column) { return padding + painted }
            return column == last ? painted : painted + padding
        }
        return columns.joined(separator: "  ") + "\n"
    }
}
