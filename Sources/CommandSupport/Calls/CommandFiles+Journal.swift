import GatewayCore
import GatewayHost
import JournalLog

extension CommandFiles {
    /// Writes a note when records that were accepted wait in the journal, and no gateway runs that stores them: one
    /// was killed, or could not write to the store.
    ///
    /// The sink's position may be some seconds old, so that the store may have some of them.
    package func noteWaitingRecords() {
        guard !areOfAnotherUser, DataDirectoryLock.owner(of: folder) == nil,
            let store = try? StoreFile(self),
            let ledger = LogInspector.newestLedger(at: folder.resolve(DataFiles.journal))
        else { return }
        let count = ledger.pending(for: store.sinkName)
        guard count > 0 else { return }
        CommandNote.write(
            "accepted records wait in the journal, up to \(count); the gateway stores them at its "
                + "next start")
    }
}
