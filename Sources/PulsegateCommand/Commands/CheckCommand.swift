import ControlSocket
import GatewayCore
import GatewayHost
import Platform
import Terminal

/// `pulsegate check` says whether the configuration is right.
struct CheckCommand: Command {
    static let syntax = CommandSyntax(
        name: "check",
        summary: "Validate the configuration and show what it reads.",
        details:
            "It says what each source reads, which adopted devices none of them reads, and which "
            + "tokens, passwords and certificates cannot be read. It also says which records wait in "
            + "the journal for a sink that is not there any more.")

    let call: Subcommand.Call

    func run() throws(HostError) -> ExitStatus {
        let files = try call.files()
        let (file, folder) = (files.configuration, files.folder)
        let plan = try GatewayPlan(file: file, folder: folder, plugins: plugins)
        let assembly = Assembly(
            plugins: plugins, dataDirectory: folder, environment: environment, clock: SystemClock(),
            log: Logger(component: "check") { _ in }, adopted: plan.devices)
        let sources = try plan.makeSources(assembly)
        let sinks = try plan.makeSinks(assembly, besides: sources)
        try plan.check(sinks)
        let names = sources.map(\.name).joined(separator: ", ")
        let report =
            [
                "configuration: \(file.path.map { "\($0) is right" } ?? "no file, the defaults hold")",
                "sources: \(names.isEmpty ? Self.nothing : names)",
            ] + Self.scopes(plan) + [
                "sinks: \(sinks.map(\.name).joined(separator: ", "))",
                "data: \(folder.path)",
            ] + journalNotes(plan)
            + (plan.notes + backlogNotes(plan, sinks)).map { "note: \($0)" }
        let text = report.map { LogFormat.escaped($0) + "\n" }.joined()
        try StandardStream.output.writeResult(text)
        return .success
    }

    private static let nothing =
        "none, so there is nothing to run; `pulsegate adopt ADDRESS|PORT` adds one"

    private func journalNotes(_ plan: GatewayPlan) -> [String] {
        guard plan.configuration.isJournalInMemory else { return [] }
        return [
            "journal: in memory, so nothing in it survives the end of the process: "
                + "what no sink has taken by then is lost"
        ]
    }

    /// What is in memory is asked of the gateway that has it, and not known when none runs.
    private func backlogNotes(_ plan: GatewayPlan, _ sinks: [Gateway.NamedSink]) -> [String] {
        backlog(in: plan.folder).notes(for: sinks.map(\.journalSink))
    }

    /// Asks the running gateway, or looks into the journal when none runs.
    private func backlog(in folder: DataDirectory) -> BacklogNotes {
        guard DataDirectoryLock.owner(of: folder) != nil else {
            return BacklogNotes(journalIn: folder)
        }
        do {
            var client = try ControlClient(folder, isSimulation: false, clock: SystemClock())
            let report = try StatusReport(line: try client.ask(.status))
            return BacklogNotes(
                pending: Dictionary(
                    report.sinks.map { ($0.part.name, $0.pending) }, uniquingKeysWith: { $1 }))
        } catch {
            return BacklogNotes(pending: [:])
        }
    }

    /// What each source reads, where its settings say so.
    private static func scopes(_ plan: GatewayPlan) -> [String] {
        plan.claims.compactMap { source in
            source.claim.text(adopted: plan.devices).map { text in
                "  \(source.component.name) (\(source.component.use)) reads \(text)"
            }
        }
    }
}
