package import GatewayCore
import Glibc
import SQLite

/// Looks into the journal of a gateway that is not running.
package enum JournalPeek {
    /// The ledger as it was last committed; nil when it cannot be read, or somebody uses the file.
    ///
    /// A file that nobody uses and that has no log stays as it is.
    package static func ledger(at path: String) -> Ledger? {
        var status = stat()
        let hasLog = stat("\(path)-wal", &status) == 0 && status.st_size > 0
        do {
            let connection = try SQLiteConnection(
                path: path, access: hasLog ? .readOnly : .immutable, busyTimeoutMilliseconds: 0)
            let version = try connection.version(
                applicationID: JournalSchema.applicationID, newest: JournalSchema.steps.count)
            guard version > 0 else { return nil }
            let ledger = Ledger(
                ingest: try JournalDatabase.ingest(connection) ?? Ledger.Ingest(),
                sinks: try JournalDatabase.sinks(connection))
            return ledger.isPlausible ? ledger : nil
        } catch {
            return nil
        }
    }
}
