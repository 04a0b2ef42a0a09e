import GatewayCore
import GatewayHost

extension CommandFiles {
    /// Writes a note when records that were accepted wait in the journal, and no gateway runs that stores them: one
    /// was killed, or could not write to the store.
    ///
    /// The sink's position may be some seconds old, so that the store may have some of them.
    package func noteWaitingRecords() {
        guard !areOfAnotherUser, DataDirectoryLock.owner(of: folder) == nil,
            let store = try? StoreFile(self)
        else { return }
        let count = store.waitingCount(
            inJournal: folder.resolve(DataFiles.journal), types: types)
        guard count > 0 else { return }
        CommandNote.write(
            "accepted records wait in the journal, up to \(count); the gateway stores them at its "
                + "next start")
    }
}
