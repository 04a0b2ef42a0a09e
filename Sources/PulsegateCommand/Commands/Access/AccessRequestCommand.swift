import ControlSocket
import GatewayCore
import GatewayHost
import Glibc
import JSON
import Platform
import Terminal

/// `pulsegate access request`: asks the gateway of another user for access.
struct AccessRequestCommand: Command {
    static let syntax = CommandSyntax(
        name: "access request",
        summary: "Ask the gateway of another user for access, or show what you have.",
        options: [
            AccessActions.option(.read, "types to read: heartRate,stepCount"),
            AccessActions.option(.share, "types to store"),
            AccessActions.option(.manage, "what to change: devices, people"),
            CommandSyntax.Option(
                name: "--purpose", value: "TEXT", help: "what the data is for"),
            CommandSyntax.json,
        ],
        details: """
            The gateway's user sees the request in `pulsegate access list` and decides with
            `pulsegate access grant` or `revoke`. The access is that of this user's commands.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        var fields = AccessActions.types(arguments)
        var client = try ControlClient(
            try call.files().folder, isSimulation: false, clock: SystemClock())
        let handler: RequestHandler
        if fields.isEmpty {
            guard !arguments.has("--purpose") else {
                throw HostError(.usage, "--purpose requires --read, --share or --manage")
            }
            handler = .access
        } else {
            handler = .requestAccess
            fields["purpose"] = arguments.value(of: "--purpose").map(JSONValue.string)
        }
        let line = try client.ask(
            ControlRequest(handler, .object(fields)), arguments: AccessActions.arguments)
        guard !arguments.has("--json") else {
            try StandardStream.output.writeResult(String(decoding: line, as: UTF8.self) + "\n")
            return .success
        }
        guard let answer = try? ConfigurationNode(json5: String(decoding: line, as: UTF8.self)),
            let access = (try? answer.entries())?.first?.node
        else { throw client.unknownAnswer }
        guard case .object(let values) = access.value, values["owner"] != .boolean(true) else {
            try StandardStream.output.writeResult(
                "this user has access to everything: it is the gateway's user\n")
            return .success
        }
        let lines = AccessKind.allCases.map { kind in
            "\(kind.rawValue): \(AccessAnswer(access, kind).text)\n"
        }
        try StandardStream.output.writeResult(lines.joined())
        let undecided = AccessKind.allCases.flatMap { kind in
            let types = AccessAnswer(access, kind).undecided
            return types.isEmpty ? [] : ["--\(kind.rawValue) \(types.joined(separator: ","))"]
        }
        if !undecided.isEmpty {
            let user = ShellWord.quoted(AccountNames.user(geteuid()))
            CommandNote.write(
                "an administrator grants it: `sudo pulsegate access grant \(user):pulsegate "
                    + "\(undecided.joined(separator: " "))`")
        }
        return .success
    }
}
