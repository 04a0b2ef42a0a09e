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

    /// Returns the people and the devices that they wear.
    package func people() async -> People { await pipeline.people }
}
