package import Platform

extension Gateway {
    /// Waits until a sink has dealt with all that is accepted by now; false when it has not in time, or
    /// when there is no such sink.
    package func waitForDelivery(to sink: String, until deadline: BootInstant) async -> Bool {
        let ledger = await journal.ledger
        let due = ledger.ingest.published
        guard let cursor = ledger.sinks[sink]?.cursor else { return false }
        if cursor >= due { return true }
        return await clock.wait(until: deadline) { [journal] in
            await journal.waitForDelivery(to: sink, upTo: due)
        } ?? false
    }

    /// Who wears what now.
    package func people() async -> People { await pipeline.people }
}
