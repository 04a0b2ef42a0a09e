import GatewayCore
import GatewayHost
import JournalLog

extension CommandFiles {
    /// Writes a note when records that were accepted wait in the journal, and no gateway runs that stores them: one
    /// was killed, or could not write to the store.
    ///
    /// A note also says when the journal cannot be read.
    /// The sink's position may be some seconds old, so that the store may have some of them.
    package func noteWaitingRecords() {
        guard !areOfAnotherUser, DataDirectoryLock.owner(of: folder) == nil,
            let store = try? StoreFile(self)
        else { return }
        let journal = folder.resolve(DataFiles.journal)
        guard let count = store.waitingCount(inJournal: journal, types: types) else {
            noteProblem(ofJournal: journal)
            return
        }
        guard count > 0 else { return }
        CommandNote.write(
            "accepted records wait in the journal, up to \(count); the gateway stores them at its "
                + "next start")
    }

    /// Writes a note on a journal that is damaged or cannot be read; none when there is no journal.
    private func noteProblem(ofJournal path: String) {
        let problem: String
        do throws(LogError) {
            let problems = try LogInspector.problems(at: path)
            guard !problems.isEmpty else { return }
            problem = "the journal is damaged: \(problems.joined(separator: ", "))"
        } catch {
            problem = "cannot read the journal: \(error)"
        }
        // One that has started meanwhile changes the journal.
        guard DataDirectoryLock.owner(of: folder) == nil else { return }
        let prefix = folder.isOfService && !isSimulation ? "sudo " : ""
        CommandNote.write(
            "\(problem); accepted records may wait there that the store lacks; find out what to do: "
                + "`\(prefix)pulsegate doctor`")
    }
}
