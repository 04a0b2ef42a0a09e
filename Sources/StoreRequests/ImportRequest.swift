import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform

extension RequestHandler {
    /// `import`: imports the file that is the content of the request; answered as `import --json` prints.
    ///
    /// A client that may not read every type only learns how much it has sent.
    static func importFile(_ uploads: Uploads?) -> RequestHandler {
        RequestHandler("import", for: .everyone) { request, service, channel in
            try service.checkSharesEverything(channel.client)
            let wanted = try await ImportRequest(request.parameters, service, channel.client)
            guard let uploads else {
                throw HostError(
                    .failure,
                    "a simulation imports no files; use a gateway that is no simulation: `pulsegate run`"
                )
            }
            guard let content = channel.content else {
                throw ConfigurationError(
                    path: "content",
                    problem: "the file is missing: send it over HTTP, or use `pulsegate import`")
            }
            do {
                try await uploads.receive(content, channel) { file in
                    try await wanted.answer(of: file, uploads)
                }
            } catch let error as RequestContentTooLong {
                channel.send(
                    RequestRouter.errorLine(
                        error.description, key: "content", code: StoreErrorCode.tooLong))
            }
            return nil
        }
    }
}

/// What a client says about its file.
private struct ImportRequest {
    private static let nameLimit = 255
    private static let usualName = "the file"

    /// The name for messages.
    private let name: String
    /// The person of records without one.
    private let person: String
    /// Whether the client may read what is wrong with the gateway's own files.
    private let isOwner: Bool
    /// Whether the client may learn what was in the store before: it reads every type, and a file can have
    /// records of any.
    private let readsEverything: Bool

    init(
        _ node: ConfigurationNode, _ service: GatewayService, _ client: ServiceClient
    ) async throws {
        let object = try node.object(keys: ["person", "name"])
        isOwner = client.isOwner
        readsEverything = service.readable(by: client)?.isEverything ?? true
        name = try object["name"].map { try Self.name($0) } ?? Self.usualName
        person =
            if let node = object["person"] {
                try Self.person(node, among: await service.peopleNames(), client)
            } else {
                try Self.onlyPerson(await service.peopleNames(), await service.defaultPerson())
            }
    }

    private static func name(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let name = try node.string()
        guard !name.isEmpty, name.utf8.count <= nameLimit else {
            throw node.error("must have 1 to \(nameLimit) bytes")
        }
        return name
    }

    /// A client that is not the owner does not learn who else is known.
    private static func person(
        _ node: ConfigurationNode, among names: [String], _ client: ServiceClient
    ) throws(ConfigurationError) -> String {
        let word = try node.string()
        guard let name = names.first(where: { $0 == word }) else {
            throw node.error(People.unknown(word, known: client.isOwner ? names : []))
        }
        return name
    }

    private static func onlyPerson(
        _ names: [String], _ usual: String?
    ) throws(ConfigurationError) -> String {
        if let name = usual ?? (names.count == 1 ? names.first : nil) { return name }
        throw ConfigurationError(
            path: "person",
            problem: "is required, because there are several people and no default person")
    }

    /// Imports the file, and makes the line of the answer.
    func answer(of file: UploadedFile, _ uploads: Uploads) async throws -> [UInt8] {
        switch try await uploads.run(file.path, person) {
        case .failed(let problem, .input):
            return RequestRouter.errorLine(shown(problem, file), key: "content")
        case .failed(let problem, let cause):
            let text = isOwner ? shown(problem, file) : cause.textForOthers
            return RequestRouter.errorLine(text, code: cause.code)
        case .imported(var result, var notes):
            if !readsEverything { (result, notes) = Self.sent(result, notes) }
            result["file"] = .string(name)
            result["notes"] = notes.isEmpty ? nil : .array(notes.map { .string(shown($0, file)) })
            return JSONLine.make { $0.field("import") { $0 += JSONValue.object(result).json.utf8 } }
        }
    }

    /// What a client has sent, without what was in the store of it.
    ///
    /// The notes about a workout depend on that; those about records are about the file alone.
    private static func sent(
        _ result: [String: JSONValue], _ notes: [String]
    ) -> (result: [String: JSONValue], notes: [String]) {
        let keys = ["stored", "alreadyStored", "olderVersions", "refused"]
        let counts = keys.compactMap { key -> Double? in
            guard case .number(let count) = result[key] else { return nil }
            return count
        }
        var sent: [String: JSONValue] = [
            "accepted": .number(counts.isEmpty ? 1 : counts.reduce(0, +))
        ]
        sent["format"] = result["format"]
        return (sent, counts.isEmpty ? [] : notes)
    }

    /// A message with the client's name of the file in place of that in the data directory.
    private func shown(_ text: String, _ file: UploadedFile) -> String {
        text.replacing(text: file.path, with: name)
    }
}

extension FailureCause {
    /// The problem for a client that is not the owner: without paths and commands of the gateway's machine.
    fileprivate var textForOthers: String {
        switch self {
        case .input: "the file cannot be read"
        case .conflict: "the file does not fit what is stored now"
        case .busy: "something else uses the store; try again later"
        case .storageFull: "there is no space left on the gateway's disk"
        case .failure:
            "the gateway cannot import the file; its owner can see why with `pulsegate doctor`"
        }
    }
}
