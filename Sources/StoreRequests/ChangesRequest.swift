import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import JSON
import SQLiteStore

extension RequestHandler {
    /// `changes`: answered with what was stored and deleted since an anchor, then with the next anchor.
    static let changes = RequestHandler("changes", for: .everyone) { request, service, channel in
        let wanted = try ChangesRequest(request.parameters)
        try service.check(channel.client, tapping: nil)
        let store = try await service.openStore()
        do {
            let changes = try await store.changes(
                since: wanted.anchor, limit: wanted.limit, types: await service.types())
            let page = try await ChangePage(changes, in: store, for: channel.client, service)
            try await page.send(on: channel)
        } catch let error as HealthStoreError
            where [.foreignAnchor, .expiredAnchor].contains(error)
        {
            channel.send(
                RequestRouter.errorLine(
                    error.description, key: "since", code: StoreErrorCode.anchor))
        }
        return nil
    }
}

/// The changes that a client asks for.
private struct ChangesRequest {
    /// The maximum number of changed records in an answer, which are in memory.
    private static let maximumLimit = 4_096
    private static let usualLimit = 1_000

    let anchor: StoreAnchor?
    let limit: Int

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: ["since", "limit"])
        limit = try object["limit"]?.integer(in: 1...Self.maximumLimit) ?? Self.usualLimit
        anchor = try object["since"].map { node throws(ConfigurationError) in
            guard let anchor = StoreAnchor(try node.string()) else {
                throw node.error("expected the `anchor` of an earlier answer")
            }
            return anchor
        }
    }
}

/// The changes that a client may read.
private struct ChangePage {
    private let added: [Record]
    private let removed: [RecordID]
    private let anchor: StoreAnchor
    private let hasMore: Bool

    /// A deletion whose type is not known, as of a replaced version of a workout, is for a client that
    /// may read everything.
    init(
        _ changes: StoreChanges, in store: SQLiteStore, for client: ServiceClient,
        _ service: GatewayService
    ) async throws {
        (anchor, hasMore) = (changes.anchor, changes.hasMore)
        guard let readable = service.readable(by: client), !readable.isEverything else {
            (added, removed) = (changes.added, changes.removed)
            return
        }
        added = changes.added.filter(readable.permits)
        removed = try await store.deletions(of: changes.removed)
            .filter { readable.permits(.deletion($0)) }.map(\.id)
    }

    func send(on channel: any ResponseChannel) async throws {
        var (answer, lines) = (LongAnswer(channel), ChangeLines())
        for record in added { try await answer.add { lines.append(record, to: &$0) } }
        for id in removed { try await answer.add { lines.append(deletionOf: id, to: &$0) } }
        answer.end("changes") { json in
            json.field("records", answer.count)
            json.field("anchor", anchor.description)
            json.field("hasMore", hasMore)
        }
    }
}
