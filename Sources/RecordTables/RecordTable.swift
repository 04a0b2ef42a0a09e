package import HealthModel
package import Terminal
package import WorkoutScreens

/// A table of records of one type, written page by page.
///
/// Columns are as wide as the widest cell so far. Start and end are two columns as soon as they differ in
/// a page; the heading is repeated there.
package struct RecordTable {
    private let type: RecordType?
    private let chosen: [TableColumn]?
    private let cells: RecordCells
    private let width: TerminalWidth?
    private var hasIntervals: Bool
    private var columns: [TableColumn] = []
    private var widths: [Int] = []

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - type: The type; nil for device events.
    ///   - columns: The columns; nil for the standard ones.
    ///   - width: The width of the terminal; nil for other outputs, which get whole lines.
    package init(
        _ type: RecordType?, columns: [TableColumn]? = nil, format: QuantityFormat,
        width: TerminalWidth? = nil
    ) {
        self.type = type
        chosen = columns
        cells = RecordCells(format: format)
        self.width = width
        hasIntervals = if case .quantity(let type) = type { type.isCumulative } else { false }
    }

    /// The rows of the next page, with the heading above the first ones.
    package mutating func text(of records: [Record]) -> String {
        guard !records.isEmpty else { return "" }
        if !hasIntervals { hasIntervals = records.contains { $0.span.start != $0.span.end } }
        let columns = chosen ?? TableColumn.standard(of: type, hasIntervals: hasIntervals)
        var rows = records.map { record in columns.map { cells.text($0, of: record) } }
        if columns != self.columns {
            self.columns = columns
            widths = columns.map { _ in 0 }
            rows.insert(columns.map(\.heading), at: 0)
        }
        for row in rows {
            for (column, cell) in row.enumerated() {
                widths[column] = max(widths[column], TextWidth.columns(of: cell))
            }
        }
        return rows.map(line).joined()
    }

    private func line(of cells: [String]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - TextWidth.columns(of: cell))
            let isLast = index == cells.count - 1
            line += isNumber(columns[index]) ? padding + cell : isLast ? cell : cell + padding
            if !isLast { line += separator(after: index) }
        }
        return (width?.text(StyledLine(line)) ?? line) + "\n"
    }

    private func isNumber(_ column: TableColumn) -> Bool {
        if case .quantity = type { column == .value } else { false }
    }

    /// One space between a value and its unit, two between other columns.
    private func separator(after index: Int) -> String {
        isNumber(columns[index]) && columns[index + 1] == .unit ? " " : "  "
    }
}
