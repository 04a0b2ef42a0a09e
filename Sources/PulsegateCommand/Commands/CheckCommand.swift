import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Terminal

/// `pulsegate check`: validates the configuration.
struct CheckCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "check",
        summary: "Validate the configuration and show what it reads, or check a program.",
        restOperand: "ARGUMENT",
        options: [
            CommandSyntax.Option(
                name: "--exec", value: "COMMAND", kind: .file,
                help: "run this program for some seconds and show what the gateway makes of it"),
            CommandSyntax.Option(
                name: "--as", value: "ROLE",
                kind: .words(ProgramRole.allCases.map(\.rawValue)),
                help: "role of the program: source, decoder or sink; default: source"),
            CommandSyntax.Option(
                name: "--input", value: "FILE", kind: .file,
                help: "bytes that the device of a decoder sends"),
            CommandSyntax.Option(
                name: "--for", value: "SECONDS", help: "how long to run the program; default: 5"),
        ],
        details: """
            Lists what each source reads, adopted devices that no source reads, secrets and certificates
            that cannot be read, records in the journal that wait for a removed sink, and a journal of an
            earlier version that the next start takes over. A data directory that this user cannot write
            to is an error. Nothing is created.

            With --exec it runs a program instead, with the arguments after `--`, and prints the records
            by type and every finding: lines that cannot be used, readings that are rejected, a program
            that ends or does not answer. A sink gets the samples of two simulated devices.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        if let command = arguments.value(of: "--exec") {
            return try await ProgramCheck(call: call, command: command).run()
        }
        StopSignal.exitAtSignal()
        for option in ["--as", "--input", "--for"] where arguments.has(option) {
            throw HostError(.usage, "\(option) is for a program; add --exec COMMAND")
        }
        if let surplus = arguments.operands.first {
            throw HostError(
                .usage,
                "unexpected argument `\(LogFormat.escaped(surplus))`; see `pulsegate check --help`")
        }
        let files = try call.files()
        let (file, folder) = (files.configuration, files.folder)
        try folder.checkAccess()
        _ = try AccessFile(folder: folder, types: .standard).read()
        let plan = try GatewayPlan(file: file, folder: folder, plugins: plugins)
        let assembly = Assembly(
            plugins: plugins, dataDirectory: folder, environment: environment, clock: SystemClock(),
            log: Logger(component: "check") { _ in }, adopted: plan.devices)
        let sources = try plan.makeSources(assembly)
        let sinks = try plan.makeSinks(assembly, besides: sources)
        let busy = BusyLine("checking the store", environment, clock: SystemClock())
        defer { busy?.end() }
        try plan.check(sources, sinks)
        busy?.end()
        let services = try plan.makeServices(assembly).map(\.name)
        let names = sources.map(\.name).joined(separator: ", ")
        let report =
            [
                "configuration: \(file.path.map { "\($0) is valid" } ?? "no file, using defaults")",
                "sources: \(names.isEmpty ? Self.nothing(plan) : names)",
            ] + Self.scopes(plan) + [
                "sinks: \(sinks.map(\.name).joined(separator: ", "))"
            ] + (services.isEmpty ? [] : ["services: \(services.joined(separator: ", "))"]) + [
                "data: \(folder.path)"
            ] + journalNotes(plan)
            + (plan.notes + GatewayPlan.notes(of: sources) + backlogNotes(plan, sinks)
            + plan.takeoverNotes).map { "note: \($0)" }
        let text = report.map { LogFormat.escaped($0) + "\n" }.joined()
        try StandardStream.output.writeResult(text)
        return .success
    }

    private static func nothing(_ plan: GatewayPlan) -> String {
        guard plan.file.configuration.sources == nil else {
            return plan.configuration.services.isEmpty
                ? "none; add one to `sources`, or remove `sources` to read adopted devices"
                : "none; only the services run"
        }
        return "none; add one with `pulsegate adopt ADDRESS|PORT`"
    }

    private func journalNotes(_ plan: GatewayPlan) -> [String] {
        guard plan.configuration.isJournalInMemory else { return [] }
        return [
            "journal: in memory; records that no sink has stored are lost when the process ends"
        ]
    }

    /// Notes about records that wait for a sink that is no longer configured.
    private func backlogNotes(_ plan: GatewayPlan, _ sinks: [Gateway.NamedSink]) -> [String] {
        backlog(in: plan.folder).notes(for: sinks.map(\.journalSink))
    }

    /// Queries the running gateway, or reads the journal when none runs.
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

    /// The devices that each source reads, if its settings name them.
    private static func scopes(_ plan: GatewayPlan) -> [String] {
        plan.claims.compactMap { source in
            source.claim.text(adopted: plan.devices).map { text in
                "  \(source.component.name) (\(source.component.use)) reads \(text)"
            }
        }
    }
}
