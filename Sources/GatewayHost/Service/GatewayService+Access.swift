package import GatewayCore
package import HealthModel
package import SQLiteStore

/// What clients may do: every check is here, and no transport makes one.
extension GatewayService {
    /// Checks that a client may send requests of a handler at all.
    func admit(_ client: ServiceClient, to handler: RequestHandler) throws(AccessError) {
        switch handler.audience {
        case .everyone: return
        case .managers(of: let area): try check(client, .manage, [area.rawValue])
        case .owner: guard client.isOwner else { throw .ownerOnly(handler.name) }
        }
    }

    /// Checks that a client may read or store types.
    package func check(
        _ client: ServiceClient, _ kind: AccessKind, _ types: some Sequence<String>
    ) throws(AccessError) {
        try access.check(client, kind, types)
    }

    /// Checks that a client may store records of every type, which a file can have.
    package func checkSharesEverything(_ client: ServiceClient) throws(AccessError) {
        try access.checkSharesEverything(client)
    }

    /// Checks that a client may read the records of a type.
    ///
    /// A meal has members of many types: some of them must be granted, and a record needs all of its own.
    package func check(_ client: ServiceClient, reads type: RecordType?) throws(AccessError) {
        if type == .correlation(.food), let readable = access.readable(by: client),
            readable.types(.granted).contains(where: CorrelationType.isDietary)
        {
            return
        }
        try access.check(client, .read, AccessTypes.needed(for: type))
    }

    /// Checks that a client may tap the records of a type; without one it gets those that it may read.
    ///
    /// A client without a decision waits for one; one that has `metrics` only gets an error.
    package func check(_ client: ServiceClient, tapping type: RecordType?) throws(AccessError) {
        if let type { return try check(client, reads: type) }
        try check(client, .read, [])
        guard let decisions = access.readable(by: client), decisions.isOnly(AccessTypes.metrics)
        else { return }
        throw .onlyMetrics(isDenied: decisions.others == .denied)
    }

    /// Checks that a client may read the records of some type.
    package func checkReadsRecords(_ client: ServiceClient) throws(AccessError) {
        try check(client, tapping: nil)
        guard let decisions = access.readable(by: client), decisions.others != .granted,
            decisions.types(.granted).isEmpty
        else { return }
        throw .noRecords(decisions)
    }

    /// Accepts records of a client, who needs access to share each of their types.
    package func ingest(
        _ records: [Record], from client: ServiceClient
    ) async throws(AccessError) -> Acceptance {
        try access.check(client, .share, records.lazy.flatMap(\.accessTypes))
        let readable = access.readable(by: client)
        return await ingest(records) { readable?.permits($0) ?? true }
    }

    /// Waits until the store has records of a client, as far as the client may know what it has.
    func waitForStore(of records: [Record], from client: ServiceClient) async -> Bool {
        let readable = access.readable(by: client)
        return await waitForStore(of: records.filter { readable?.permits($0) ?? true })
    }

    /// Reads the stored records of a query that a client may read.
    package func records(
        matching query: RecordQuery, for client: ServiceClient,
        _ receive: ([Record]) async throws -> Void
    ) async throws {
        try check(client, reads: query.type)
        guard !client.isOwner else { return try await records(matching: query, receive) }
        // Asked for each page: a decision takes effect at once.
        let select = { [access] (page: [Record]) in
            access.readable(by: client).map { page.filter($0.permits) } ?? page
        }
        try await records(matching: query, selecting: select, receive)
    }

    /// The state of the gateway for a client that may read device events, whose content it has.
    ///
    /// Counts of records that may have any type are only for a client that may read all types.
    package func status(for client: ServiceClient) async throws(AccessError) -> StatusReport {
        try check(client, .read, [StoredRecords.eventName])
        let report = await status()
        return access.readable(by: client).map(report.limited) ?? report
    }

    /// The state of the gateway for metrics: all counts for a client that may read `metrics`, which have no
    /// values; without that, what it may see of the state.
    package func metricsStatus(for client: ServiceClient) async throws(AccessError) -> StatusReport
    {
        do throws(AccessError) {
            try check(client, .read, [AccessTypes.metrics])
        } catch let denial {
            do throws(AccessError) {
                return try await status(for: client)
            } catch {
                throw error.code == .notAsked ? denial : error
            }
        }
        return await status()
    }

    /// The lines of a batch that match a filter and that a client may read at this moment.
    func lines(of batch: RecordBatch, _ filter: TapFilter, for client: ServiceClient) -> [UInt8] {
        guard let readable = access.readable(by: client) else { return filter.lines(of: batch) }
        return batch.lines { filter.matches($0) && readable.permits($0) }.bytes
    }

    /// What a client may read at this moment; nil for everything.
    package func readable(by client: ServiceClient) -> AccessDecisions? {
        access.readable(by: client)
    }

    /// Whether a client may read the live values of workouts at this moment.
    func mayWatchWorkouts(_ client: ServiceClient) -> Bool {
        (try? check(client, .read, AccessTypes.liveWorkout)) != nil
    }
}
