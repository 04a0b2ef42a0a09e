import ArgumentValues
import ControlSocket
import GatewayCore
import GatewayHost
import Glibc
import HealthModel
import JSON
import Platform
import Reports
import Terminal

/// The actions of `pulsegate access`.
enum AccessActions {
    static let all = [
        Subcommand(AccessListCommand.self), Subcommand(AccessGrantCommand.self),
        Subcommand(AccessRevokeCommand.self), Subcommand(AccessRequestCommand.self),
    ]

    /// The options by key of the requests, for errors; the operand has an empty one.
    static let arguments = [
        "client": "", "read": "--read", "share": "--share", "manage": "--manage",
        "purpose": "--purpose",
    ]

    static func option(_ kind: AccessKind, _ help: String) -> CommandSyntax.Option {
        CommandSyntax.Option(
            name: "--\(kind.rawValue)", value: kind == .manage ? "AREAS" : "TYPES", help: help)
    }

    static let clientHelp = """
        CLIENT is USER:NAME, a user name or number and the name that the program gives itself, or
        exec:-:SINK for the program of a sink; `pulsegate access list` shows them.
        """

    /// The types of the options, as the values of a request.
    static func types(_ arguments: ParsedArguments) -> [String: JSONValue] {
        var types: [String: JSONValue] = [:]
        for kind in AccessKind.allCases {
            guard let text = arguments.value(of: "--\(kind.rawValue)") else { continue }
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            types[kind.rawValue] =
                names == [TypeSelection.allWord]
                ? .string(TypeSelection.allWord) : .array(names.map(JSONValue.string))
        }
        return types
    }

    /// The client that an argument names.
    static func client(_ text: String) throws(HostError) -> ClientID {
        if let client = ClientID(text) { return client }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let name = PlainName(parts[1]) else {
            throw HostError(
                .usage,
                "`\(LogFormat.escaped(text))` is not a client such as alice:dashboard; "
                    + "list them with `pulsegate access list`")
        }
        let number = UInt32(parts[0]) ?? AccountNames.number(ofUser: parts[0])
        guard let user = number.flatMap({ PlainName("\($0)") }) else {
            throw HostError(.usage, "unknown user `\(LogFormat.escaped(parts[0]))`")
        }
        return ClientID(transport: ControlClient.transport, user: user, name: name)
    }
}

/// `pulsegate access list`: lists the clients and what they may read and store.
struct AccessListCommand: Command {
    static let syntax = CommandSyntax(
        name: "access list",
        summary: "List other users' programs and what they may read, store and change.",
        options: CommandSyntax.formats,
        details: """
            ASKS FOR has what a program has asked for and what is not decided yet. A program that is
            a sink of the configuration is listed as exec:-:SINK, and reads what is not denied to it.
            """
    )

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let entries = AccessEntry.entries(
            try AccessFile(folder: files.folder, types: .standard).read().entries,
            withProgramsOfSinks: plugins.programs(in: files.configuration.configuration))
        let format = try arguments.format()
        let text = Self.report(of: entries).text(as: format) { table(of: entries) }
        try StandardStream.output.writeResult(text)
        if entries.isEmpty, format == .table {
            CommandNote.write(
                "no other user's program has asked for access, and no sink is a program; the gateway's "
                    + "user needs no access")
        }
        return .success
    }

    private func table(of entries: [AccessEntry]) -> String {
        guard !entries.isEmpty else { return "" }
        var table = TextTable([
            "CLIENT", "USER", "READS", "STORES", "MANAGES", "ASKS FOR", "PURPOSE",
        ])
        for entry in entries { table.add(Self.cells(of: entry).map { TextTable.Cell($0) }) }
        return table.text(.plain, within: TerminalWidth(.output, environment: environment))
    }

    private static func report(of entries: [AccessEntry]) -> Report {
        func object(_ write: (inout JSONWriter) -> Void) -> String {
            var json = JSONWriter()
            json.object(write)
            return String(decoding: json.bytes, as: UTF8.self)
        }
        return Report(
            columns: ["client", "purpose", "read", "share", "manage"],
            rows: entries.map { entry in object { entry.write(to: &$0) } },
            document: object { $0.objects("clients", entries) { $0.write(to: &$1) } })
    }

    private static func cells(of entry: AccessEntry) -> [String] {
        let asked = AccessKind.allCases.compactMap { kind in
            let types = entry[kind].types(.undecided)
            return types.isEmpty ? nil : "\(kind.rawValue) \(types.joined(separator: ","))"
        }
        let user = entry.client.user?.text ?? "-"
        return [
            Self.argument(for: entry.client), UInt32(user).flatMap(AccountNames.userName) ?? "-",
            text(entry.read),
            text(entry.share), text(entry.manage),
            asked.isEmpty ? "-" : asked.joined(separator: "; "),
            LogFormat.escaped(entry.purpose ?? "-"),
        ]
    }

    /// The argument that names a client: short for one of the control socket.
    private static func argument(for client: ClientID) -> String {
        guard client.transport == ControlClient.transport, let user = client.user else {
            return client.description
        }
        return "\(user):\(client.name)"
    }

    /// `heartRate,stepCount`, `all but bodyMass`, `-`.
    static func text(_ decisions: AccessDecisions) -> String {
        let granted = decisions.types(.granted)
        let denied = decisions.types(.denied)
        switch decisions.others {
        case .granted:
            return denied.isEmpty ? "all" : "all but \(denied.joined(separator: ","))"
        default:
            let text = granted.isEmpty ? "-" : granted.joined(separator: ",")
            let isDenied = granted.isEmpty && (decisions.others == .denied || !denied.isEmpty)
            return isDenied ? "denied" : text
        }
    }
}

/// `pulsegate access grant`: grants types to a client.
struct AccessGrantCommand: Command {
    static let syntax = CommandSyntax(
        name: "access grant",
        summary: "Let another user read or store types, or change devices and people.",
        operands: ["CLIENT"],
        options: [
            AccessActions.option(.read, "types that it may read: heartRate,stepCount or all"),
            AccessActions.option(.share, "types that it may store"),
            AccessActions.option(
                .manage,
                "what it may see and change: devices, people or all"),
        ],
        details: AccessActions.clientHelp + """

            A correlation such as bloodPressure means its members. A type of its own wins over `all`.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        try await AccessChangeCall(call: call).make(.grant, .grantAccess)
    }
}

/// `pulsegate access revoke`: denies types to a client.
struct AccessRevokeCommand: Command {
    static let syntax = CommandSyntax(
        name: "access revoke",
        summary: "Deny types to another user's program; without options, everything.",
        operands: ["CLIENT"],
        options: [
            AccessActions.option(.read, "types that it may no longer read, or all"),
            AccessActions.option(.share, "types that it may no longer store, or all"),
            AccessActions.option(.manage, "what it may no longer change, or all"),
            CommandSyntax.Option(
                name: "--forget", help: "remove the program from the list; it may ask again"),
        ],
        details: AccessActions.clientHelp + """

            It takes effect at once, also for a `tap` that is running and for the program of a sink.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        try await AccessChangeCall(call: call).make(.revoke, .revokeAccess)
    }
}
