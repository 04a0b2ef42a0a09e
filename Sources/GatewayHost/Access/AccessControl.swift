package import GatewayCore
import HealthModel
package import Platform
import Synchronization

/// The table of what each client may read and store: in memory, and in `access.json`.
///
/// It knows a transport by its name only.
package final class AccessControl: Sendable {
    /// The maximum number of clients of one user that wait for their first decision.
    package static let waitingLimit = 16
    /// The maximum number of clients that wait for their first decision.
    package static let allWaitingLimit = 200

    private enum State {
        case table(AccessFile.Content)
        case unreadable(reason: String)
    }

    private let file: AccessFile
    private let log: Logger
    private let state: Mutex<State>
    /// The names of the sinks that are programs.
    private let programs = Mutex<[String]>([])

    /// Reads the table of a data directory; an unreadable one is logged, and then only the owner has access.
    package init(folder: DataDirectory, log: Logger) {
        file = AccessFile(folder: folder, types: .standard)
        self.log = log.named("access")
        state = Mutex(.table(AccessFile.Content()))
        reload()
    }

    /// Reads the table again.
    package func reload() {
        // Read inside the lock: a later call never leaves what an earlier one has read.
        let reason = state.withLock { state -> String? in
            do throws(HostError) {
                state = .table(try file.read())
                return nil
            } catch {
                state = .unreadable(reason: error.text)
                return error.text
            }
        }
        guard let reason else { return }
        log.error("the access of clients is not known", ["reason": reason])
    }

    /// Notes the names of the sinks that are programs, by the configuration in force.
    package func know(programsOfSinks names: [String]) { programs.withLock { $0 = names } }

    /// The access of all clients, with that of configured programs.
    package func entries() throws(AccessError) -> [AccessEntry] {
        AccessEntry.entries(
            try table().entries, withProgramsOfSinks: programs.withLock { $0 })
    }

    /// Whether a program is a sink, or in the table.
    func knows(program id: ClientID) throws(AccessError) -> Bool {
        try entries().contains { $0.client == id }
    }

    /// The access of a client; nothing is granted to an unknown one.
    func entry(of client: ClientID) throws(AccessError) -> AccessEntry {
        try table()[client] ?? AccessEntry(client)
    }

    private func table() throws(AccessError) -> AccessFile.Content {
        switch state.withLock({ $0 }) {
        case .table(let table): return table
        case .unreadable(let reason): throw .unreadable(reason)
        }
    }

    /// Checks that a client may read or store types.
    ///
    /// - Throws: ``AccessError`` about the first type that it may not.
    package func check(
        _ client: ServiceClient, _ kind: AccessKind, _ types: some Sequence<String>
    ) throws(AccessError) {
        guard !client.isOwner else { return }
        guard let id = client.id else { throw .noName }
        let decisions = try entry(of: id)[kind]
        for type in types {
            let decision = decisions.decision(on: type)
            guard decision == .granted else { throw AccessError(kind, type, decision, of: id) }
        }
    }

    /// Checks that a client may store records of every type.
    func checkSharesEverything(_ client: ServiceClient) throws(AccessError) {
        guard !client.isOwner else { return }
        guard let id = client.id else { throw .noName }
        let decisions = try entry(of: id).share
        guard !decisions.isEverything else { return }
        throw .everything(isDenied: decisions.others != nil, to: id)
    }

    /// What a client may read at this moment; nil for everything.
    func readable(by client: ServiceClient) -> AccessDecisions? {
        guard !client.isOwner else { return nil }
        guard let id = client.id, let entry = try? entry(of: id) else { return AccessDecisions() }
        return entry.read
    }
}

extension AccessControl {
    /// Notes that a client asks for types; what is decided stays.
    func ask(_ client: ServiceClient, _ request: AccessRequest) async throws -> AccessEntry {
        guard let id = client.id else { throw AccessError.noName }
        let entry = try await change(id) { entry, table throws(HostError) in
            if table[id] == nil { try Self.checkWaiting(id, in: table) }
            for kind in AccessKind.allCases { entry[kind].ask(request.types[kind] ?? []) }
            entry.purpose = request.purpose ?? entry.purpose ?? client.introduction?.purpose
        }
        if AccessKind.allCases.contains(where: { entry[$0].isWaiting }) {
            log.info(
                "a client asks for access",
                ["client": "\(id)", "hint": "see `pulsegate access list`"])
        }
        return entry
    }

    private static func checkWaiting(
        _ id: ClientID, in table: AccessFile.Content
    ) throws(HostError) {
        let waiting = table.entries.filter(\.isUndecided).map(\.client)
        let own = waiting.filter { $0.transport == id.transport && $0.user == id.user }
        guard own.count < waitingLimit, waiting.count < allWaitingLimit else {
            throw HostError(
                .failure, "too many clients wait for a decision; use one of the earlier names")
        }
    }

    /// Decides about types of a client.
    package func decide(
        _ id: ClientID, _ selections: [AccessKind: TypeSelection], _ decision: AccessDecision
    ) async throws(HostError) -> AccessEntry {
        try await change(id) { entry, _ in
            for (kind, selection) in selections { entry[kind].decide(selection, decision) }
        }
    }

    /// Removes a client; it may ask again.
    ///
    /// - Returns: Whether it was there.
    package func forget(_ id: ClientID) async throws(HostError) -> Bool {
        try await change { table in
            let isKnown = table[id] != nil
            table.remove(id)
            return isKnown
        }
    }

    private func change(
        _ id: ClientID,
        _ change: (inout AccessEntry, AccessFile.Content) throws(HostError) -> Void
    ) async throws(HostError) -> AccessEntry {
        try await self.change { table throws(HostError) in
            var entry = table[id] ?? AccessEntry(id)
            try change(&entry, table)
            guard !AccessKind.allCases.contains(where: { entry[$0].isTooLarge }) else {
                throw HostError(
                    .failure, "a client cannot have more than \(AccessDecisions.limit) types")
            }
            table.insert(entry)
            return entry
        }
    }

    private func change<Result>(
        _ change: (inout AccessFile.Content) throws(HostError) -> Result
    ) async throws(HostError) -> Result {
        let result = try await file.change(change)
        reload()
        return result
    }
}
