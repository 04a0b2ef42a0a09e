package import Platform

extension Gateway {
    /// How often is looked whether a sink has come far enough, in seconds.
    private static var lookSeconds: Double { 0.02 }

    /// Waits until a sink has dealt with all that is accepted by now; false when it has not in time, or
    /// when there is no such sink.
    package func waitForDelivery(to sink: String, until deadline: BootInstant) async -> Bool {
        let due = await journal.ledger.ingest.published
        while true {
            guard let cursor = await journal.ledger.sinks[sink]?.cursor else { return false }
            if cursor >= due { return true }
            guard clock.now() < deadline,
                (try? await clock.sleep(seconds: Self.lookSeconds)) != nil
            else { return false }
        }
    }

    /// Who wears what now.
    package func people() async -> People { await pipeline.people }
}
