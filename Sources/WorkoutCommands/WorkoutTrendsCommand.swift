import ArgumentValues
import GatewayCore
import GatewayHost
import Platform
import Reports
import StatisticsScreens
import Terminal
import WorkoutScreens

/// `pulsegate workout trends`: the workouts of the last weeks.
struct WorkoutTrendsCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout trends",
        summary: "Show weekly totals of workouts, time in zones, resting heart rate and HRV.",
        options: [
            CommandSyntax.Option(
                name: "--weeks", value: "N",
                help: "the last N weeks, with the current one; default: \(usualWeeks)"),
            CommandSyntax.activity, WorkoutActions.person,
            CommandSyntax.Option(
                name: "--plot", value: "MEASURE",
                kind: .words(TrendMeasure.allCases.map(\.rawValue)),
                help: "plot workouts, time, distance, energy, zones, restingHeartRate or "
                    + "heartRateVariability"),
        ] + CommandSyntax.formats + [CommandSyntax.simulate],
        details: """
            TIME is without pauses. A workout that spans two weeks is divided between them in proportion to
            time, and counts in the week in which it started. RESTING and HRV are the averages of the types
            restingHeartRate (count/min) and heartRateVariabilitySDNN. The time in zones is calculated as by
            `workout show`. Weeks start on \(CommandSyntax.weekStart).
            """)

    private static let usualWeeks = 12
    /// Ten years.
    private static let mostWeeks = 520

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let (count, format) = (try weekCount(), try arguments.format())
        let measure = try arguments.value(of: "--plot").map { text throws(HostError) in
            try TrendMeasure(text, option: "--plot")
        }
        guard measure == nil || format == .table else {
            throw HostError(.usage, "--plot is valid only for --format table")
        }
        let files = try call.files()
        let store = try files.openStoreToRead()
        let activities = files.configuration.configuration.activities
        let activity = try await arguments.activity(among: activities, in: store)
        let filter = try await files.person(arguments, in: store)?.filter
        let reader = TrendReader(
            store: store, people: try files.people(), activities: activities, calendar: .system)
        let weeks = try await reader.weeks(
            count, until: SystemClock().instant(), of: activity, filter, types: files.types)
        let style = try files.screenStyle(environment)
        let text = TrendText(weeks, person: filter, style: style)
        let output = text.report.text(as: format) {
            guard let measure else { return text.table }
            let columns = StandardStream.output.isTerminal ? StandardStream.output.size.columns : 80
            return TrendPlot(weeks, measure, style: style, columns: columns).text
        }
        try StandardStream.output.writeResult(
            output, paintedBy: format == .table ? style.painter : .plain)
        if weeks.allSatisfy(\.isEmpty) || output.isEmpty {
            let what = measure?.rawValue ?? "workouts"
            StandardStream.error.write(
                "pulsegate: no \(what) found in the last \(count == 1 ? "week" : "\(count) weeks")\n"
            )
        }
        return .success
    }

    private func weekCount() throws(HostError) -> Int {
        guard let text = arguments.value(of: "--weeks") else { return Self.usualWeeks }
        guard let count = Int(text), (1...Self.mostWeeks).contains(count) else {
            throw HostError(
                .usage,
                "--weeks: expected a number from 1 to \(Self.mostWeeks), found "
                    + "`\(LogFormat.escaped(text))`")
        }
        return count
    }
}
