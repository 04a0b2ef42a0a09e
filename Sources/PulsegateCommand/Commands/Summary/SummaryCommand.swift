import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import Terminal
import WorkoutScreens

/// `pulsegate summary`: a day's energy, a month's averages.
struct SummaryCommand: Command {
    static let syntax = CommandSyntax(
        name: "summary",
        summary: "Show the energy balance of a day, or the daily averages of a month.",
        operands: [.choice(["day", "month"])],
        options: [
            CommandSyntax.Option(
                name: "--date", value: "D",
                help: "that day, or the month before it; today when left out"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person,
                help: "person; required when there are several"),
            CommandSyntax.json,
            CommandSyntax.simulate,
        ],
        details: """
            The balance of a day is active + resting − consumed energy. Where nobody has measured the
            resting energy it is estimated from sex, age, mass and height (Mifflin-St Jeor); what is not
            known is not assumed. A month ends with the day before; its averages are over the days that
            have samples, and say how many those are.
            """)

    let call: Subcommand.Call
    let now = SystemClock().instant()
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let word = arguments.operands[0]
        guard ["day", "month"].contains(word) else {
            let suggestion = Suggestion.message(unknown: word, known: ["day", "month"])
            throw HostError(
                .usage, "summary: `\(LogFormat.escaped(word))` is unknown; \(suggestion)")
        }
        let date = try date()
        let files = try call.files()
        let people = try files.people()
        let whose = try files.isSimulation ? nil : PersonArgument(arguments, people)
        let person = whose.flatMap { people.person(named: $0.name) }
        let store = try files.openStore()
        let reader = SummaryReader(
            store: store, people: people, personName: whose?.filter, calendar: calendar)
        let text = SummaryText(
            person: whose, format: QuantityFormat(unit: nil, people: people), calendar: calendar)
        let isJSON = arguments.has("--json")
        if word == "day" {
            let day = try await reader.day(date, of: person, until: now)
            try StandardStream.output.writeResult(isJSON ? text.json(of: day) : text.lines(of: day))
        } else {
            let month = try await reader.month(before: date)
            try StandardStream.output.writeResult(
                isJSON ? text.json(of: month) : text.lines(of: month))
        }
        return .success
    }

    private func date() throws(HostError) -> CalendarDate {
        let today = calendar.date(at: now)
        guard let text = arguments.value(of: "--date") else { return today }
        guard let date = CalendarDate(iso8601: text), date <= today else {
            throw HostError(
                .usage, "--date: expected a day that is not in the future, such as 2026-11-21")
        }
        return date
    }
}
