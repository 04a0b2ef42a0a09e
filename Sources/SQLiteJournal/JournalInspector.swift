package import GatewayCore
import Glibc
import SQLite

/// Reads the journal of a gateway that is not running.
package enum JournalInspector {
    /// Reads the last committed ledger; nil when the file cannot be read or is in use.
    ///
    /// A file without a write-ahead log is not changed.
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
