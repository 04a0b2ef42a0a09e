package import GatewayCore
import Platform

extension LogJournalFile {
    /// Continues the ledger of another journal, whose records follow with ``adopt(_:at:)``.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, which counts the records that follow.
    ///   - place: The place of the first record that follows.
    /// - Precondition: The log is new.
    package func adopt(_ ledger: Ledger, at place: JournalPlace) throws {
        precondition(next.first == 0 && committed == Ledger(), "the log has content")
        committed = ledger
        next = place
        try startSegment(holding: 0)
    }

    /// Appends records that the ledger counts already.
    package func adopt(_ batch: RecordLines, at place: JournalPlace) throws {
        try write(batch, at: place, committed, withSinks: false)
    }

    /// Writes everything to the disk.
    package func synchronize() throws {
        for segment in segments {
            try files.file(of: segment.name, in: folder)?.sync()
        }
        folder.sync()
    }
}
