import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import HealthStatistics
import Platform
import SQLiteStore
import StatisticsScreens
import StoreRequests
import Terminal
import WorkoutScreens

/// `pulsegate statistics`: calculates statistics of the samples of a type.
struct StatisticsCommand: Command {
    static let syntax = CommandSyntax(
        name: "statistics",
        summary: "Calculate statistics of a type: sum or average, minimum, maximum, duration.",
        operands: [CommandSyntax.Operand("TYPE", .quantityType)],
        options: CommandSyntax.timeRange(
            from: "only samples from T on", to: "only samples before T; default: now") + [
                CommandSyntax.Option(
                    name: "--every", value: "STEP",
                    help: "one row per step of the local calendar: 15m, 1h, 1d, 1w, 1mo"),
                CommandSyntax.Option(
                    name: "--unit", value: "U", help: "convert to this unit: count/min, lb, °C"
                ),
                CommandSyntax.Option(
                    name: "--device", value: "D",
                    help: "only samples of this device: address, name or serial number"),
                CommandSyntax.Option(
                    name: "--person", value: "P", kind: .person,
                    help: PersonArgument.help),
                CommandSyntax.Option(
                    name: "--per-source", help: "one row per device or source, without merging"),
            ] + CommandSyntax.formats + [CommandSyntax.simulate],
        details: """
            \(CommandSyntax.timeHelp)
            A PERIOD that is not over ends now.
            Cumulative types such as stepCount are summed. A sample that spans two steps is divided
            between them. When several devices counted at the same time, only one of them is used:
            devices with the role primary first, then those without a role, then backups, and manually
            entered samples last. Other types are averaged; the average heart rate is weighted by time,
            without gaps of more than ten minutes.
            """)

    /// Maximum number of steps.
    static let rowLimit = 100_000

    let call: Subcommand.Call
    let now = SystemClock().instant()
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let type = try TypeArgument.type(arguments.operands[0], among: files.types)
        let unit = try arguments.unit(of: "--unit", for: type)
        let format = try arguments.format()
        let step = try StepArgument.step(arguments.value(of: "--every"), option: "--every")
        let people = try files.people()
        var query = SampleQuery(type: type, device: arguments.value(of: "--device"))
        let (from, to) = try timeRange()
        let store = try files.openStoreToRead()
        let person = try await files.person(arguments, in: store)
        query.person = person?.filter
        let reader = StatisticsReader(store: store, query: query, people: people)
        let busy = BusyLine("calculating statistics", environment, clock: SystemClock())
        defer { busy?.end() }
        let spans = try await spans(reader, from: from, to: to ?? now, by: step)
        let rows =
            try await arguments.has("--per-source")
            ? reader.rowsByOrigin(in: spans) : reader.rows(in: spans)
        busy?.end()
        let output = StatisticsOutput(
            type: type, unit: unit, person: person?.name, isStepwise: step != nil,
            format: QuantityFormat(unit: unit, people: people), calendar: calendar,
            width: TerminalWidth(.output, environment: environment))
        let isEmpty = !rows.contains { $0.statistics.count > 0 }
        // A table of dashes has nothing to read; a program gets each step.
        let shown = isEmpty && format == .table ? [] : rows
        try StandardStream.output.writeResult(output.text(of: shown, as: format))
        if isEmpty { StandardStream.error.write("pulsegate: no \(type.name) samples found\n") }
        return .success
    }

    private func timeRange() throws(HostError) -> (from: Instant?, to: Instant?) {
        let range = try arguments.timeRange(now: now, calendar: calendar)
        guard arguments.has("--period"), let from = range.from, let to = range.to, from < now
        else { return range }
        return (from, min(to, now))
    }

    /// The steps between two times, or the whole time as one span.
    private func spans(
        _ reader: StatisticsReader, from: Instant?, to: Instant, by step: CalendarStep?
    ) async throws(HostError) -> [Range<Instant>] {
        guard from.map({ $0 < to }) ?? true else {
            throw HostError(.usage, "--from must be before --to")
        }
        let spans = try await reader.spans(
            from: from, to: to, by: step, calendar, limit: Self.rowLimit)
        guard let spans else {
            throw HostError(
                .usage,
                "more than \(Self.rowLimit) steps; use a longer --every or a later --from")
        }
        return spans
    }
}
