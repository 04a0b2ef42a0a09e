import GatewayCore

/// Single steps of a journal's file, as tests put them.
extension JournalFile {
    /// Appends a batch, and nothing else.
    func append(_ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace) throws {
        try append(batch, addition: addition, at: place, saving: [:])
    }

    /// Moves one sink's cursor and adds to its account.
    func advance(_ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome) throws {
        guard var account = try ledger().sinks[sink] else { return }
        account.cursor = cursor
        account.outcome.add(outcome)
        try save([sink: account])
    }
}
