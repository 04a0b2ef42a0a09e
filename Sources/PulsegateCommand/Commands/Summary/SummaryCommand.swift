import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Reports
import StatisticsScreens
import StoreRequests
import Terminal
import WorkoutScreens

/// `pulsegate summary`: the energy balance of a day or the averages of a month; it also calculates again
/// what statistics are made of.
struct SummaryCommand: Command {
    static let syntax = CommandSyntax(
        name: "summary",
        summary: "Show the energy balance of a day, or the daily averages of a month.",
        operands: [.choice(words)],
        options: [
            CommandSyntax.Option(
                name: "--date", value: "D", kind: .words(DateArgument.words),
                help: "the day; for `month`, the day after its end; default: today"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person,
                help: PersonArgument.help),
        ] + CommandSyntax.formats + [CommandSyntax.simulate],
        details: """
            The balance is active energy + resting energy − consumed energy. Where resting energy has no
            samples, it is estimated from biological sex, age, body mass and height (Mifflin-St Jeor); if
            one of these is unknown, there is no estimate. A month ends on the day before --date. Its
            averages are over the days with samples, whose number is shown. D is an ISO 8601 date, today
            or yesterday.

            A gateway keeps the statistics of each hour in the store, so that those of a year are ready at
            once. `summary rebuild` removes them and calculates them again from the samples; a gateway may
            run meanwhile.
            """)

    private static let words = ["day", "month", "rebuild"]

    let call: Subcommand.Call
    let now = SystemClock().instant()
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let word = arguments.operands[0]
        guard Self.words.contains(word) else {
            throw HostError(
                .usage,
                "summary: expected day, month or rebuild, found `\(LogFormat.escaped(word))`")
        }
        if word == "rebuild" { return try await SummaryRebuild(call).run() }
        let (date, format) = (try date(), try arguments.format())
        let files = try call.files()
        let people = try files.people()
        let store = try files.openStoreToRead()
        let person = try await files.person(arguments, in: store)
        let facts = person.flatMap { people.person(named: $0.name) }
        let reader = SummaryReader(
            store: store, people: people, personName: person?.filter, calendar: calendar)
        let text = SummaryText(
            person: person?.name, owner: person?.filter,
            format: QuantityFormat(unit: nil, people: people), calendar: calendar,
            width: TerminalWidth(.output, environment: environment))
        let output: String
        if word == "day" {
            let day = try await reader.day(date, of: facts, until: now)
            output = text.report(of: day).text(as: format) { text.lines(of: day) }
        } else {
            let month = try await reader.month(before: date)
            output = text.report(of: month).text(as: format) { text.lines(of: month) }
        }
        try StandardStream.output.writeResult(output)
        return .success
    }

    private func date() throws(HostError) -> CalendarDate {
        let today = calendar.date(at: now)
        guard let text = arguments.value(of: "--date") else { return today }
        return try DateArgument.date(text, option: "--date", today: today)
    }
}
