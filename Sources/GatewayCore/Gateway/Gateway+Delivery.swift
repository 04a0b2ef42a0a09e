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

    /// Lets a sink have what it collects for a batch, and waits for what was accepted so far, for a few
    /// seconds at most.
    ///
    /// A failing sink is not waited for, nor are records that are accepted later.
    package func refresh(_ sink: String) async -> SinkProgress {
        await waitUntilRunning()
        let due = await journal.ledger.ingest.published
        if !isFailing(sink) {
            let deadline = clock.now().adding(seconds: Self.refreshSeconds)
            await clock.wait(until: deadline) { [journal] in
                await journal.waitForDelivery(to: sink, upTo: due)
            }
        }
        let status = await journal.status
        guard let cursor = status.ledger.sinks[sink]?.cursor else { return .failing }
        if cursor < due { return isFailing(sink) ? .failing : .pending(due - cursor) }
        // No sink gets what the journal cannot write.
        return status.failure != nil && status.waiting > 0 ? .failing : .complete
    }

    /// Less than the time that clients wait for an answer.
    static let refreshSeconds = 3.0

    private func isFailing(_ sink: String) -> Bool {
        sinks[sink].map { $0.health.failure(at: clock.now()) != nil } ?? true
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

/// What a sink has of the records that were accepted before a request.
package enum SinkProgress: Equatable, Sendable {
    /// All of them.
    case complete
    /// All but a number of the newest ones, which it has yet to handle.
    case pending(Int64)
    /// Not all of them, and it fails; or the journal fails, or there is no such sink.
    case failing
}
