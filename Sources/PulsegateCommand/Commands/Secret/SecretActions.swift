import ControlSocket
import GatewayCore
import GatewayHost
import JSON
import Platform
import Reports
import Terminal

/// The actions of `pulsegate secret`.
enum SecretActions {
    static let all = [
        Subcommand(SecretSetCommand.self), Subcommand(SecretListCommand.self),
        Subcommand(SecretRemoveCommand.self),
    ]

    /// Reads the name of a secret.
    static func name(_ text: String) throws(HostError) -> PlainName {
        guard let name = PlainName(text) else {
            throw HostError(.usage, "NAME \(PlainName.rule)")
        }
        return name
    }

    /// Lets the running gateway read the secret, and reports that.
    static func apply(in folder: DataDirectory) throws(HostError) {
        guard DataDirectoryLock.owner(of: folder) != nil else { return }
        let change = DataDirectoryChange(folder: folder, arguments: [:])
        do throws(HostError) {
            var client = try ControlClient(folder, isSimulation: false, clock: SystemClock())
            _ = try client.ask(.reload, timeout: DataDirectoryChange.timeoutSeconds)
            change.note(.applied).map(CommandNote.write)
        } catch {
            change.note(.failed(reason: error.text)).map(CommandNote.write)
        }
    }
}

/// `pulsegate secret set`: stores a secret from the terminal or from standard input.
struct SecretSetCommand: Command {
    /// The prompt restores the terminal before a signal ends the process.
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "secret set",
        summary: "Store a secret, or replace it: from the terminal, or from a pipe.",
        operands: ["NAME"], hidesSurplus: true,
        options: [
            CommandSyntax.Option(
                name: "--random",
                help: "store \(SecretInput.randomLength) random characters: a new token")
        ],
        details: """
            At a terminal it asks for the secret and does not show it; in a pipe it reads standard input.
            The secret is one line of at most \(Secret.lengthLimit) bytes. It is stored in the folder
            `\(DataFiles.secrets)` of the data directory, which only this user can read. The configuration refers to it
            as { secret: "NAME" }. A running gateway uses the new secret at once.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let name = try SecretActions.name(arguments.operands[0])
        let folder = try call.files().folder
        let value =
            arguments.has("--random") ? try SecretInput.random() : try SecretInput.read(for: name)
        let isReplaced = try await SecretsFolder(folder).set(name, to: value)
        try StandardStream.output.writeResult("\(name): \(isReplaced ? "replaced" : "stored")\n")
        try SecretActions.apply(in: folder)
        return .success
    }
}

/// `pulsegate secret list`: lists the names of the secrets.
struct SecretListCommand: Command {
    static let syntax = CommandSyntax(
        name: "secret list",
        summary: "List the names of the secrets and when they were set.",
        options: CommandSyntax.formats,
        details: "The values are never shown.")

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let (entries, notes) = try SecretsFolder(try call.files().folder).list()
        notes.forEach(CommandNote.write)
        let report = Report(
            columns: ["name", "set"],
            values: entries.map { entry in
                .object(["name": .string(entry.name.text), "set": .string("\(entry.time)")])
            })
        let text = report.text(as: try arguments.format()) {
            var table = TextTable(["NAME", "SET"])
            for entry in entries {
                table.add([.init(entry.name.text), .init(LocalTime.text(entry.time))])
            }
            let width = TerminalWidth(.output, environment: environment)
            return entries.isEmpty ? "" : table.text(.plain, within: width)
        }
        try StandardStream.output.writeResult(text)
        if entries.isEmpty {
            CommandNote.write("no secret is stored; store one with `pulsegate secret set NAME`")
        }
        return .success
    }
}

/// `pulsegate secret remove`: removes a secret.
struct SecretRemoveCommand: Command {
    static let syntax = CommandSyntax(
        name: "secret remove",
        summary: "Remove a secret.",
        operands: ["NAME"],
        details: "Its file is overwritten before it is removed.")

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let name = try SecretActions.name(arguments.operands[0])
        let folder = try call.files().folder
        let secrets = SecretsFolder(folder)
        guard try await secrets.remove(name) else {
            let known = try secrets.list().entries.map(\.name.text)
            let hint =
                known.isEmpty
                ? "no secret is stored" : Suggestion.message(unknown: name.text, known: known)
            throw HostError(.usage, "there is no secret `\(name)`; \(hint)")
        }
        try StandardStream.output.writeResult("\(name): removed\n")
        try SecretActions.apply(in: folder)
        return .success
    }
}
