package import Platform

extension Gateway {
    /// Waits until a sink has handled all records accepted so far; false on timeout, or if there is
    /// no such sink.
    package func waitForDelivery(to sink: String, until deadline: BootInstant) async -> Bool {
        let ledger = await journal.ledger
        let due = ledger.ingest.published
        guard let cursor = ledger.sinks[sink]?.cursor else { return false }
        if cursor >= due { return true }
        return await clock.wait(until: deadline) { [journal] in
            await journal.waitForDelivery(to: sink, upTo: due)
        } ?? false
    }

    /// Waits until every sink has handled all but a number of the records accepted so far, for a few
    /// seconds at most.
    ///
    /// A failing sink is not waited for.
    package func waitForDelivery(toAllBut count: Int64) async {
        let ledger = await journal.ledger
        let due = ledger.ingest.published - count
        let deadline = clock.now().adding(seconds: Self.drainSeconds)
        for (name, sink) in sinks where sink.health.failure(at: clock.now()) == nil {
            guard let cursor = ledger.sinks[name]?.cursor, cursor < due else { continue }
            _ = await clock.wait(until: deadline) { [journal] in
                await journal.waitForDelivery(to: name, upTo: due)
            }
        }
    }

    /// Returns the people and the devices that they wear.
    package func people() async -> People { await pipeline.people }
}
