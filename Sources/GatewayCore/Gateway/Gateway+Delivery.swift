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

    /// Lets a sink have what it collects for a batch, and waits for that for a second at most.
    ///
    /// - Returns: Whether it has the records accepted so far; a failing sink is not waited for.
    @discardableResult
    package func refresh(_ sink: String) async -> Bool {
        let now = clock.now()
        guard let running = sinks[sink], running.health.failure(at: now) == nil else {
            return false
        }
        return await waitForDelivery(to: sink, until: now.adding(seconds: Self.refreshSeconds))
    }

    private static let refreshSeconds = 1.0

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
