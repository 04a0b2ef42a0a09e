import GatewayCore
package import HealthModel
import HealthStatistics
import JSON
import Platform
package import Reports
package import StoreRequests
package import Terminal
package import WorkoutScreens

/// Summaries as text and as JSON.
package struct SummaryText {
    private let person: String?
    private let owner: String?
    private let format: QuantityFormat
    private let calendar: LocalCalendar
    private let width: TerminalWidth?

    /// Creates the text.
    ///
    /// - Parameters:
    ///   - person: The name of the person, whose units are used; nil for a simulation.
    ///   - owner: The name to show; nil when there is only one person.
    ///   - width: The width of the terminal; nil for other outputs.
    package init(
        person: String?, owner: String?, format: QuantityFormat, calendar: LocalCalendar,
        width: TerminalWidth?
    ) {
        self.person = person
        self.owner = owner
        self.format = format
        self.calendar = calendar
        self.width = width
    }

    // MARK: A day

    /// A day as lines.
    package func lines(of day: DaySummary) -> String {
        let until = day.isPartial ? ", until \(time(day.span.upperBound))" : ""
        let balance = day.balance
        var lines = ["Energy of \(day.date)\(until)\(ofOwner)"]
        let rows: [(name: String, quantity: Quantity?, note: String)] = [
            ("active", balance.active, balance.active == nil ? "no samples" : ""),
            ("resting", balance.restingQuantity, restingNote(day)),
            ("consumed", balance.consumed, balance.consumed == nil ? "no entries" : ""),
            (
                "balance", balance.balance,
                balance.balance == nil ? "requires the resting energy" : ""
            ),
        ]
        let values = rows.map { $0.quantity.map(kilocalories) ?? "-" }
        let width = values.map(\.count).max() ?? 0
        for (row, value) in zip(rows, values) {
            let name = row.name + String(repeating: " ", count: 8 - row.name.count)
            let padding = String(repeating: " ", count: width - value.count)
            lines.append(
                "  \(name)  \(padding)\(value)" + (row.note.isEmpty ? "" : "  \(row.note)"))
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private func restingNote(_ day: DaySummary) -> String {
        switch day.balance.resting {
        case .measured: "measured"
        case .completed: "measured for part of the time, otherwise estimated (Mifflin-St Jeor)"
        case .partial: "measured for part of the time only: \(day.problem ?? "")"
        case .estimated: "estimated (Mifflin-St Jeor), no samples"
        case .unknown: "unknown: \(day.problem ?? "")"
        }
    }

    private func kilocalories(_ quantity: Quantity) -> String {
        let shown = quantity.converted(to: .kilocalorie) ?? quantity
        return "\(format.localized(HumanQuantity.rounded(shown.value.rounded()))) kcal"
    }

    private func time(_ instant: Instant) -> Substring {
        LocalTime.text(instant, calendar).dropFirst(11).prefix(5)
    }

    private var ofOwner: String { owner.map { ", \(LogFormat.escaped($0))" } ?? "" }

    /// A day for programs.
    package func report(of day: DaySummary) -> Report {
        let object = Self.object { day.write(to: &$0, person: owner) }
        return Report(
            columns: [
                "date", "person", "start", "end", "unit", "active", "resting", "restingIs",
                "consumed", "balance",
            ], rows: [object], document: object)
    }

    // MARK: A month

    /// A month as lines.
    package func lines(of month: MonthSummary) -> String {
        let last = month.end.adding(days: -1) ?? month.end
        var table = TextTable(["TYPE", "DAILY AVERAGE", "UNIT", "DAYS WITH SAMPLES"], right: 1..<2)
        for (type, average) in month.averages {
            let parts = average?.average.map {
                format.parts(of: $0, type, of: person, usual: type.displayUnit)
            }
            let days = average.map { "\($0.dayCount) of \($0.spanDayCount)" }
            table.add(
                [type.name, parts?.value ?? "-", parts?.unit ?? "-", days ?? "none"]
                    .map { TextTable.Cell($0) })
        }
        return "From \(month.first) to \(last), \(month.dayCount) days\(ofOwner)\n"
            + table.text(.plain, within: width)
    }

    /// A month for programs: a row per type.
    package func report(of month: MonthSummary) -> Report {
        let document = Self.object { month.write(to: &$0, person: owner) }
        let rows = month.averages.map { entry in
            Self.object { json in
                month.writeSpan(to: &json, person: owner)
                MonthSummary.write(entry, to: &json)
            }
        }
        return Report(
            columns: [
                "from", "to", "person", "days", "type", "unit", "average", "total",
                "daysWithSamples",
            ], rows: rows, document: document)
    }

    private static func object(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object(write)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
