package import ArgumentValues
import GatewayCore
package import HealthModel
import HealthStatistics
import JSON
import Platform
import Reports
import SQLiteStore
package import StoreRequests
package import Terminal
package import WorkoutScreens

/// Statistics as a table, CSV or JSON.
package struct StatisticsOutput {
    private let type: QuantityType
    private let unit: Unit?
    private let person: String?
    private let isStepwise: Bool
    private let format: QuantityFormat
    private let calendar: LocalCalendar
    private let width: TerminalWidth?

    /// - Parameters:
    ///   - unit: The unit given with `--unit`.
    ///   - isStepwise: Whether there is one row per step.
    ///   - width: The width of the terminal; nil for other outputs.
    package init(
        type: QuantityType, unit: Unit?, person: String?, isStepwise: Bool, format: QuantityFormat,
        calendar: LocalCalendar, width: TerminalWidth?
    ) {
        self.type = type
        self.unit = unit
        self.person = person
        self.isStepwise = isStepwise
        self.format = format
        self.calendar = calendar
        self.width = width
    }

    /// The rows in a format.
    package func text(of rows: [StatisticsReader.Row], as format: OutputFormat) -> String {
        let report = Report(
            columns: [
                "type", "start", "end", "source", "count", "sum", "average", "minimum", "maximum",
                Report.Column("latest", path: "latest.value"), "unit", "seconds",
            ], rows: rows.map(json))
        return report.text(as: format) { rows.isEmpty ? "" : table(of: rows) }
    }

    // MARK: Table

    private func table(of rows: [StatisticsReader.Row]) -> String {
        let hasOrigins = rows.contains { $0.origin != nil }
        let values = type.isCumulative ? ["SUM"] : ["AVERAGE", "MINIMUM", "MAXIMUM"]
        let leading = ["FROM"] + (isStepwise ? [] : ["TO"]) + (hasOrigins ? ["SOURCE"] : [])
        let numbers = leading.count..<(leading.count + 1 + values.count)
        var table = TextTable(
            leading + ["SAMPLES"] + values + ["UNIT", "DURATION"], right: numbers)
        for row in rows {
            let statistics = row.statistics
            var cells = [LocalTime.short(statistics.span.lowerBound, calendar)]
            if !isStepwise { cells.append(LocalTime.short(statistics.span.upperBound, calendar)) }
            if hasOrigins { cells.append(LogFormat.escaped(row.origin?.name ?? "-")) }
            cells.append("\(statistics.count)")
            let parts = quantities(of: statistics).map { $0.map(shown) }
            cells += parts.map { $0?.value ?? "-" }
            cells.append(parts.compactMap { $0?.unit }.first ?? "-")
            cells.append(
                statistics.seconds > 0
                    ? HumanQuantity.duration(seconds: statistics.seconds) : "-")
            table.add(cells.map { TextTable.Cell($0) })
        }
        return table.text(.plain, within: width)
    }

    private func quantities(of statistics: Statistics) -> [Quantity?] {
        type.isCumulative
            ? [statistics.sum]
            : [statistics.average, statistics.minimum, statistics.maximum]
    }

    private func shown(_ quantity: Quantity) -> (value: String, unit: String) {
        format.parts(of: quantity, type, of: person, usual: type.displayUnit)
    }

    // MARK: JSON

    private func json(_ row: StatisticsReader.Row) -> String {
        var json = JSONWriter()
        json.object { row.write(to: &$0, type, in: unit ?? type.canonicalUnit, of: person) }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
