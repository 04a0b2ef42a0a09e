import JSON
import Platform
package import Reports
import Terminal
package import WorkoutScreens

/// The weeks of workouts as a table, CSV and JSON.
package struct TrendText {
    private let weeks: [TrendWeek]
    private let style: ScreenStyle
    private let person: String?

    /// Creates the text.
    ///
    /// - Parameter person: The person of the weeks; nil for all people.
    package init(_ weeks: [TrendWeek], person: String?, style: ScreenStyle) {
        self.weeks = weeks
        self.person = person
        self.style = style
    }

    /// One row per week; empty when there is nothing to show.
    package var table: String {
        guard weeks.contains(where: { !$0.isEmpty }) else { return "" }
        let columns: [(heading: String, measure: TrendMeasure)] = [
            ("WORKOUTS", .workouts), ("TIME", .time), ("DISTANCE", .distance),
            ("ENERGY", .energy), ("RESTING", .restingHeartRate), ("HRV", .heartRateVariability),
        ]
        let zones = weeks.map(\.zoneSeconds.count).max() ?? 0
        let headings = columns.map(\.heading) + (0..<zones).map { "ZONE \($0)" }
        var table = TextTable(["WEEK OF"] + headings, right: 1..<(headings.count + 1))
        for week in weeks {
            let cells =
                [TrendPlot.date(of: week, style)]
                + columns.map { $0.measure.text(of: week, style.figures) }
                + (0..<zones).map { zone in
                    zone < week.zoneSeconds.count
                        ? WorkoutFigures.clock(week.zoneSeconds[zone]) : "-"
                }
            table.add(cells.map { TextTable.Cell(style.characters.fitting($0)) })
        }
        return table.text(style.painter, within: style.width)
    }

    /// The weeks for programs.
    package var report: Report {
        Report(
            columns: [
                "start", "end", "person", "workouts", "activeSeconds", "distanceMeters",
                "energyKilocalories", "restingHeartRate", "heartRateVariabilityMilliseconds",
                "zoneSeconds",
            ], rows: weeks.map(row))
    }

    private func row(of week: TrendWeek) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("start", "\(week.span.lowerBound)")
            json.field("end", "\(week.span.upperBound)")
            json.field("person", person)
            json.field("workouts", Int64(week.workouts))
            json.field("activeSeconds", week.seconds)
            json.field("distanceMeters", week.meters)
            json.field("energyKilocalories", week.kilocalories)
            json.field("restingHeartRate", week.restingHeartRate)
            json.field("heartRateVariabilityMilliseconds", week.variability)
            json.numbers("zoneSeconds", week.zoneSeconds)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
