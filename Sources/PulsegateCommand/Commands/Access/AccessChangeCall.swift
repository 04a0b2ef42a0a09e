import ControlSocket
import GatewayCore
import GatewayHost
import JSON
import Platform
import Terminal

/// A change of the access of a client: by the running gateway, or by this command when none runs.
struct AccessChangeCall {
    let call: Subcommand.Call

    /// Makes the change and prints what the client has then.
    func make(
        _ change: AccessChange, _ handler: RequestHandler
    ) async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let client = try AccessActions.client(call.arguments.operands[0])
        var fields = AccessActions.types(call.arguments)
        let forgets = call.arguments.has("--forget")
        guard !forgets || fields.isEmpty else {
            throw HostError(
                .usage, "--forget and the other options exclude each other; remove one of them")
        }
        guard change == .revoke || !fields.isEmpty else {
            throw HostError(.usage, "--read, --share or --manage is required: `--read heartRate`")
        }
        fields[AccessChange.clientKey] = .string(client.description)
        if forgets { fields[AccessChange.forgetKey] = .boolean(true) }
        let (line, note) = try await answer(change, handler, .object(fields), files)
        try StandardStream.output.writeResult(try Self.text(line, of: client))
        note.map(CommandNote.write)
        return .success
    }

    private func answer(
        _ change: AccessChange, _ handler: RequestHandler, _ request: JSONValue,
        _ files: CommandFiles
    ) async throws(HostError) -> ([UInt8], note: String?) {
        let directory = DataDirectoryChange(
            folder: files.folder, arguments: AccessActions.arguments)
        var note: String?
        if DataDirectoryLock.owner(of: files.folder) != nil {
            do throws(HostError) {
                var client = try ControlClient(
                    files.folder, isSimulation: false, clock: SystemClock())
                let request = ControlRequest(handler, request)
                let line = try client.ask(request, arguments: AccessActions.arguments)
                return (line, directory.note(.applied))
            } catch {
                guard error.status == .unreachable else { throw error }
                note = directory.note(.failed(reason: error.text))
            }
        }
        try files.folder.create()
        let access = AccessControl(
            folder: files.folder, log: Logger(component: "access") { _ in })
        access.know(
            programsOfSinks: call.plugins.programs(in: files.configuration.configuration))
        let node = ConfigurationNode(path: "", value: request, types: files.types)
        do { return (try await change.make(node, in: access), note) } catch {
            throw ControlClient.failure(of: error, arguments: AccessActions.arguments)
        }
    }

    private static func text(_ line: [UInt8], of client: ClientID) throws(HostError) -> String {
        guard let answer = try? ConfigurationNode(json5: String(decoding: line, as: UTF8.self)),
            let entries = try? answer.entries(), let first = entries.first
        else {
            throw HostError(.failure, "cannot parse the answer of the gateway")
        }
        guard first.key == "access" else { return "\(client): forgotten\n" }
        let lines = AccessKind.allCases.map { kind in
            "  \(kind.rawValue): \(AccessAnswer(first.node, kind).text)\n"
        }
        return "\(client)\n" + lines.joined()
    }
}

/// The decisions of one kind in an answer of the gateway.
struct AccessAnswer {
    private var lists: [String: [String]] = [:]
    private var others: String?

    init(_ access: ConfigurationNode, _ kind: AccessKind) {
        guard case .object(let fields) = access.value,
            case .object(let decisions)? = fields[kind.rawValue]
        else { return }
        for (key, value) in decisions {
            switch value {
            case .array(let elements):
                lists[key] = elements.compactMap { element in
                    if case .string(let text) = element { text } else { nil }
                }
            case .string(let text): others = text
            default: break
            }
        }
    }

    /// The types that wait for a decision.
    var undecided: [String] { lists[AccessDecision.undecided.rawValue] ?? [] }

    /// `granted heartRate; denied all others`.
    var text: String {
        var parts = [AccessDecision.granted, .denied, .undecided].compactMap { decision in
            let types = lists[decision.rawValue] ?? []
            return types.isEmpty
                ? nil : "\(decision.rawValue) \(types.joined(separator: ", "))"
        }
        if let others { parts.append(parts.isEmpty ? "\(others) all" : "\(others) all others") }
        return parts.isEmpty ? "nothing" : LogFormat.escaped(parts.joined(separator: "; "))
    }
}
