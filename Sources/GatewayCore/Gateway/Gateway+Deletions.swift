package import HealthModel

extension Gateway {
    /// Whether a sink, besides the one with this name, gets the deletions of records.
    package func acceptsDeletions(besides name: String) -> Bool {
        parts.sinks.contains { $0.name != name && $0.sink.acceptsDeletions }
    }

    /// Passes the deletions of records on to the sinks, behind what was accepted before.
    ///
    /// They are not on the live lane: they concern what is stored, not what is measured.
    package func forward(_ deletions: [DeletedRecord]) async -> Acceptance {
        await waitUntilRunning()
        guard isRunning else { return .stopping }
        await journal.waitForSpace()
        guard isRunning else { return .stopping }
        await pipeline.publish(deletions)
        return await journal.commitNow()
    }

    /// Forgets which records were ingested recently: one that was deleted since may come again.
    package func forgetEntries() { entries = RecentEntries() }

    /// Commits what waits in memory.
    package func commitNow() async -> Acceptance { await journal.commitNow() }
}
