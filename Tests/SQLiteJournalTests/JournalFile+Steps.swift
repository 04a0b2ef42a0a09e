import GatewayCore

/// Short forms of journal calls for tests.
extension JournalFile {
    /// Appends a batch without saving cursors.
    func append(_ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace) throws {
        try append(batch, addition: addition, at: place, saving: [:])
    }

    /// Moves the cursor of a sink and adds to its counters.
    func advance(_ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome) throws {
        guard var account = try ledger().sinks[sink] else { return }
        account.cursor = cursor
        account.outcome.add(outcome)
        try save([sink: account])
    }
}
