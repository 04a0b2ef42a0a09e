import GatewayCore
import GatewayHost
import HealthModel
import HealthStatistics
import HealthStore
import Platform
import Terminal
import WorkoutScreens

/// `pulsegate statistics`: what the samples of a type come to.
struct StatisticsCommand: Command {
    static let syntax = CommandSyntax(
        name: "statistics",
        summary: "Calculate statistics of a type: sum or average, minimum, maximum, duration.",
        operands: [CommandSyntax.Operand("TYPE", .quantityType)],
        options: [
            CommandSyntax.Option(name: "--from", value: "T", help: "the time from T on"),
            CommandSyntax.Option(
                name: "--to", value: "T", help: "the time before T; now when left out"),
            CommandSyntax.Option(
                name: "--every", value: "STEP",
                help: "step by step: 15m, 1h, 1d, 1w, 1mo; by the local calendar"),
            CommandSyntax.Option(
                name: "--unit", value: "U", help: "in this unit, a HealthKit unit string"),
            CommandSyntax.Option(
                name: "--device", value: "D", help: "only of this device: address, name or serial"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person,
                help: "of this person; needed where there are several"),
            CommandSyntax.Option(
                name: "--per-source", help: "for each device or source alone, with nothing merged"),
            CommandSyntax.format,
            CommandSyntax.simulate,
        ],
        details: """
            What is counted, as steps, is summed up: a sample across two steps counts in each with its
            part, and where several devices counted the same only the best of them counts: one with
            the role primary before others, backups after them, what was entered by hand last. What is
            measured has an average; that of heart rates is over time, and gaps of more than ten
            minutes are left out.
            """)

    /// So many rows at most.
    static let rowLimit = 100_000

    let call: Subcommand.Call
    let now = SystemClock().instant()
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let type = try TypeArgument.type(arguments.operands[0], among: files.types)
        let unit = try arguments.unit(of: "--unit", for: type)
        let format = try SampleFormat(argument: arguments.value(of: "--format"))
        let step = try StepArgument.step(arguments.value(of: "--every"), option: "--every")
        let people = try files.people()
        var query = SampleQuery(type: type, device: arguments.value(of: "--device"))
        let person = try files.isSimulation ? nil : PersonArgument(arguments, people)
        query.person = files.isSimulation ? arguments.value(of: "--person") : person?.filter
        let from = try arguments.time(of: "--from", now: now, calendar: calendar)
        let to = try arguments.time(of: "--to", now: now, calendar: calendar)
        let store = try files.openStore()
        let reader = StatisticsReader(store: store, query: query, people: people)
        let spans = try await spans(reader, from: from, to: to ?? now, by: step)
        let rows =
            try await arguments.has("--per-source")
            ? reader.rowsByOrigin(in: spans) : reader.rows(in: spans)
        let output = StatisticsOutput(
            type: type, unit: unit, person: person?.name, isStepwise: step != nil,
            format: QuantityFormat(unit: unit, people: people), calendar: calendar)
        try StandardStream.output.writeResult(output.text(of: rows, as: format))
        if !rows.contains(where: { $0.statistics.count > 0 }) {
            StandardStream.error.write("pulsegate: no \(type.name) samples there\n")
        }
        return .success
    }

    /// The steps between two times, or that time as one.
    private func spans(
        _ reader: StatisticsReader, from: Instant?, to: Instant, by step: CalendarStep?
    ) async throws(HostError) -> [Range<Instant>] {
        var start = from ?? to
        if from == nil, let first = try await reader.firstStart(before: to) {
            start = step.map { calendar.start(ofStepWith: first, $0) } ?? first
        }
        guard start < to || from == nil else {
            throw HostError(.usage, "--from is not before --to")
        }
        guard start < to else { return [] }
        guard let step else { return [start..<to] }
        guard let spans = calendar.steps(of: start..<to, by: step, limit: Self.rowLimit) else {
            throw HostError(
                .usage,
                "that is over \(Self.rowLimit) steps; take a longer --every or a later --from")
        }
        return spans
    }
}
