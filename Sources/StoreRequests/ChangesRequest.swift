import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import JSON
import SQLiteStore

extension RequestHandler {
    /// `changes`: answered with what was stored and deleted since an anchor, then with the next anchor.
    static func changes(_ places: ChangePlaces) -> RequestHandler {
        RequestHandler("changes", for: .everyone) { request, service, channel in
            let wanted = try ChangesRequest(request.parameters)
            try service.checkReadsRecords(channel.client)
            let page = ChangePage(
                wanted: wanted, store: try await service.openStore(), types: await service.types())
            let readable = service.readable(by: channel.client)
            guard wanted.anchor?.isExceeded(by: readable) != true else {
                channel.send(anchorLine(exceeded))
                return nil
            }
            do {
                if let readable, !readable.isEverything {
                    try await page.send(readable, places, on: channel)
                } else {
                    try await page.send(on: channel)
                }
            } catch let error as HealthStoreError
                where [.foreignAnchor, .expiredAnchor].contains(error)
            {
                channel.send(anchorLine(error.description))
            }
            return nil
        }
    }

    private static let exceeded =
        "the client may read more types than with this anchor; "
        + "read all records again, without an anchor"

    private static func anchorLine(_ problem: String) -> [UInt8] {
        RequestRouter.errorLine(problem, key: "since", code: StoreErrorCode.anchor)
    }
}

/// The changes that a client asks for.
private struct ChangesRequest {
    /// The maximum number of changed records in an answer, which are in memory.
    private static let maximumLimit = 4_096
    private static let usualLimit = 1_000

    let anchor: ClientAnchor?
    let limit: Int

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: ["since", "limit"])
        limit = try object["limit"]?.integer(in: 1...Self.maximumLimit) ?? Self.usualLimit
        anchor = try object["since"].map { node throws(ConfigurationError) in
            guard let anchor = ClientAnchor(try node.string()) else {
                throw node.error("expected the `anchor` of an earlier answer")
            }
            return anchor
        }
    }
}

/// A page of changes for a client.
private struct ChangePage {
    let wanted: ChangesRequest
    let store: SQLiteStore
    let types: QuantityTypes

    /// Sends all changes.
    func send(on channel: any ResponseChannel) async throws {
        let changes = try await store.changes(
            since: wanted.anchor?.place, limit: wanted.limit, types: types)
        var answer = LongAnswer(channel)
        try await Self.add(changes, to: &answer)
        Self.end(answer, ClientAnchor(changes.anchor, for: nil), hasMore: changes.hasMore)
    }

    /// Sends the changes that a client may read.
    ///
    /// It learns nothing about the others: the page is filled with what it may read, and its anchor follows the
    /// last of these. How far was looked is kept in the gateway, so that the next call does not look
    /// at the same again.
    func send(
        _ readable: AccessDecisions, _ places: ChangePlaces, on channel: any ResponseChannel
    ) async throws {
        let filter = ChangeFilter(
            record: readable.permits, deletion: { readable.permits(.deletion($0)) })
        let since = wanted.anchor?.place
        var (shown, place) = (since, places.place(after: since, for: readable))
        var (answer, hasMore) = (LongAnswer(channel), true)
        while hasMore, answer.count < wanted.limit {
            let page = try await store.changes(
                since: place, limit: wanted.limit - Int(answer.count), types: types, filter: filter)
            try await Self.add(page.changes, to: &answer)
            let hasShown = page.changes.added.count + page.changes.removed.count > 0
            if hasShown || shown == nil { shown = page.shown }
            (place, hasMore) = (page.changes.anchor, page.changes.hasMore)
        }
        guard let shown, let place else { return }
        places.note(place, after: shown, for: readable)
        Self.end(answer, ClientAnchor(shown, for: readable), hasMore: hasMore)
    }

    private static func add(_ changes: StoreChanges, to answer: inout LongAnswer) async throws {
        var lines = ChangeLines()
        for record in changes.added { try await answer.add { lines.append(record, to: &$0) } }
        for id in changes.removed { try await answer.add { lines.append(deletionOf: id, to: &$0) } }
    }

    private static func end(_ answer: LongAnswer, _ anchor: ClientAnchor, hasMore: Bool) {
        answer.end("changes") { json in
            json.field("records", answer.count)
            json.field("anchor", anchor.description)
            json.field("hasMore", hasMore)
        }
    }
}
