import GatewayCore
import HealthModel
import HealthStore

/// `pulsegate statistics`: what the samples of a type come to.
struct StatisticsCommand {
    static let syntax = CommandSyntax(
        name: "statistics",
        summary: "Print what the samples of a type come to: sum or average, extremes, duration.",
        operands: ["TYPE"],
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
                name: "--person", value: "P", help: "of this person; needed where there are several"
            ),
            CommandSyntax.Option(
                name: "--per-source", help: "for each device or source alone, with nothing merged"),
            CommandSyntax.Option(
                name: "--format", value: "FORMAT",
                help: "table, csv, json or ndjson; a table when left out"),
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

    let arguments: ParsedArguments
    let plugins: Plugins
    let environment: Environment
    var now = SystemClock().instant()
    var calendar = LocalCalendar.system

    func run() async throws(CommandFailure) -> ExitStatus {
        let isSimulation = arguments.has("--simulate")
        let files = try CommandFiles(
            arguments, environment, plugins, isSimulation: isSimulation)
        let type = try TypeArgument.type(arguments.operands[0], among: files.types)
        let unit = try arguments.unit(of: "--unit", for: type)
        let format = try SampleFormat(argument: arguments.value(of: "--format"))
        let step = try StepArgument.step(arguments.value(of: "--every"), option: "--every")
        let people = try files.configuration.people(keptIn: files.folder)
        var query = SampleQuery(type: type, device: arguments.value(of: "--device"))
        query.person =
            try isSimulation
            ? arguments.value(of: "--person") : PersonArgument.person(arguments, people)
        let from = try arguments.time(of: "--from", now: now, calendar: calendar)
        let to = try arguments.time(of: "--to", now: now, calendar: calendar)
        let store = try StoreFile(files, isSimulation: isSimulation).open()
        let reader = StatisticsReader(store: store, query: query, people: people)
        let spans = try await spans(reader, from: from, to: to ?? now, by: step)
        let rows =
            try await arguments.has("--per-source")
            ? reader.rowsByOrigin(in: spans) : reader.rows(in: spans)
        let output = StatisticsOutput(
            type: type, unit: unit, person: query.person, isStepwise: step != nil,
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
    ) async throws(CommandFailure) -> [Range<Instant>] {
        var start = from ?? to
        if from == nil, let first = try await reader.firstStart(before: to) {
            start = step.map { calendar.start(ofStepWith: first, $0) } ?? first
        }
        guard start < to || from == nil else {
            throw CommandFailure(.usage, "--from is not before --to")
        }
        guard start < to else { return [] }
        guard let step else { return [start..<to] }
        guard let spans = calendar.steps(of: start..<to, by: step, limit: Self.rowLimit) else {
            throw CommandFailure(
                .usage,
                "that is over \(Self.rowLimit) steps; take a longer --every or a later --from")
        }
        return spans
    }
}

/// Steps of the calendar as a user types them.
enum StepArgument {
    private static let components: [(suffix: String, component: CalendarStep.Component)] = [
        ("mo", .month), ("m", .minute), ("h", .hour), ("d", .day), ("w", .week),
    ]

    /// Reads `15m`, `1h`, `1d`, `2w` or `1mo`; nil when nothing was given.
    static func step(
        _ text: String?, option: String
    ) throws(CommandFailure) -> CalendarStep? {
        guard let text else { return nil }
        for (suffix, component) in components where text.hasSuffix(suffix) {
            guard let count = Int(text.dropLast(suffix.count)),
                let step = CalendarStep(count, component)
            else { break }
            return step
        }
        throw CommandFailure(
            .usage,
            "\(option): `\(text)` is no step; write a number with m, h, d, w or mo, such as 15m or 1d"
        )
    }
}

/// Whose samples are meant.
enum PersonArgument {
    /// The person that `--person` names; nil where there is only one, whose everything is.
    static func person(
        _ arguments: ParsedArguments, _ people: People
    ) throws(CommandFailure) -> String? {
        let names = people.names
        guard let name = arguments.value(of: "--person") else {
            guard names.count > 1 else { return nil }
            throw CommandFailure(
                .usage, "whose? Add --person with one of: \(names.joined(separator: ", "))")
        }
        guard names.contains(name) else {
            throw CommandFailure(
                .usage,
                "--person: `\(name)` is unknown; "
                    + Suggestion.message(unknown: name, known: names))
        }
        return names.count > 1 ? name : nil
    }
}
