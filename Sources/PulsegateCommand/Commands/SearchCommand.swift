import GatewayCore
import GatewayHost
import Platform
import Reports
import SQLiteStore
import Terminal

/// `pulsegate search`: finds devices, people and workouts by words.
struct SearchCommand: Command {
    static let syntax = CommandSyntax(
        name: "search",
        summary: "Search devices, people and workouts by words.",
        operands: ["TEXT"],
        hasRepeatedOperand: true,
        options: [
            CommandSyntax.Option(
                name: "--in", value: "SCOPE,…", kind: .words(SearchScope.allCases.map(\.rawValue)),
                help: "only these: devices, people, workouts; default: all"),
            CommandSyntax.limit("hits of each kind"),
        ] + CommandSyntax.formats + [CommandSyntax.simulate],
        details: """
            A hit has every word of TEXT, ignoring case and diacritics: in the name, manufacturer, model,
            identifier, serial number or version of a device; in the name of a person; in the activity,
            location, person, source, device or metadata of a workout, also of its laps and markers. The
            first 8 or more characters of a workout's id are a word too. Devices are those of the
            configuration, adopted ones and those that have records in the store; `pulsegate devices` lists
            those in range. Samples are not searched. No gateway need run.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let text = arguments.operands.joined(separator: " ")
        let words = SearchWords(text)
        guard !words.isEmpty else { throw HostError(.usage, "TEXT has no word") }
        let scopes = try SearchScope.scopes(arguments.value(of: "--in"), option: "--in")
        let (limit, format) = (try arguments.limit(), try arguments.format())
        let files = try call.files()
        let plan = try GatewayPlan(
            showing: files.configuration, folder: files.folder, plugins: plugins)
        files.noteWaitingRecords()
        let reader = SearchReader(
            words, in: plan, try files.openStoreIfCreated(), types: files.types, limit: limit)
        let result = try await reader.result(in: scopes)
        let output = SearchText(
            result, calendar: .system, width: TerminalWidth(.output, environment: environment))
        try StandardStream.output.writeResult(output.report.text(as: format) { output.table })
        if result.isEmpty {
            let advice = try await reader.advice(on: text, result)
            StandardStream.error.write("pulsegate: \(advice)\n")
        }
        return .success
    }
}
