import SQLite

extension SQLiteStore {
    /// How long a checkpoint waits for readers, in milliseconds; so long a batch can wait for them.
    private static let checkpointTimeoutMilliseconds: Int32 = 40

    /// Removes up to 1,000 of the oldest records beyond the bounds, in one transaction.
    ///
    /// Readers are not blocked. Free pages are reused; the file does not shrink.
    ///
    /// - Returns: The number of removed records; 0 when none is beyond the bounds.
    package func removeNextBatch(beyond bounds: Retention.Bounds) throws -> Int {
        let remover = try self.remover ?? RecordRemover(connection)
        self.remover = remover
        return try remover.removeNextBatch(beyond: bounds)
    }

    /// The path of the file.
    var path: String { connection.path }

    /// The path of the write-ahead log.
    package var logPath: String { connection.logPath }

    /// The path of the wal-index (-shm), which all connections to the file share.
    package var logIndexPath: String { "\(logPath.dropLast("-wal".count))-shm" }

    /// Checkpoints the write-ahead log, also when the file has been renamed.
    ///
    /// Throws `SQLiteError` with the reason `busy` while another connection reads.
    package func checkpoint() throws {
        guard try truncateLog() else {
            throw SQLiteError(
                reason: .busy, operation: "wal_checkpoint",
                message: "the file is being read",
                path: connection.path)
        }
    }

    /// Checkpoints and truncates the write-ahead log; false while another connection reads from it.
    package func truncateLog() throws -> Bool { try checkpointLog("TRUNCATE") }

    /// Checkpoints the write-ahead log; false while another connection prevents that.
    func checkpointLog(_ mode: String) throws -> Bool {
        connection.setBusyTimeout(milliseconds: Self.checkpointTimeoutMilliseconds)
        defer {
            connection.setBusyTimeout(
                milliseconds: SQLiteConnection.defaultBusyTimeoutMilliseconds)
        }
        return try connection.pragma("wal_checkpoint(\(mode))") == "0"
    }

    /// The processes that currently read from the write-ahead log, as names with process IDs.
    package func logReaders() -> [String] {
        LogReaders.names(ofIndex: logIndexPath)
    }
}
