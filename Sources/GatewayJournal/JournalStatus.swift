/// The status of the journal.
package struct JournalStatus: Sendable, Equatable {
    /// The ledger; published records are committed, cursors may still be unsaved.
    package let ledger: Ledger
    /// The number of records that are not committed yet.
    package let waiting: Int64
    /// The error of the last commit; nil if it succeeded.
    package let failure: String?
    /// Whether the error is a full disk.
    package var isFull = false
    /// Whether its content ends with the process.
    package var isInMemory = false
    /// Its size in bytes.
    package var bytes: Int64 = 0
    /// The corruption repaired since the start.
    package var damage: String?
    /// The lag of each sink, by name.
    package var lags: [String: SinkLag] = [:]
    /// What was delivered again to a new or earlier store of a sink since the start, by name.
    package var restored: [String: Redelivery] = [:]
}
