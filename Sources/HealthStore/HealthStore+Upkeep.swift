import SQLite

extension HealthStore {
    /// How long the one who cuts the log back waits for readers, in milliseconds.
    private static let cutTimeout: Int32 = 200

    /// Removes some of the oldest records beyond the bounds, at most 1,000, in a transaction of its own.
    ///
    /// Readers never wait for it. Free room in the file is used again; the file itself gets no smaller.
    ///
    /// - Returns: How many were removed; 0 when nothing is beyond the bounds.
    package func removeStep(beyond bounds: Retention.Bounds) throws -> Int {
        let remover = try self.remover ?? RecordRemover(connection)
        self.remover = remover
        return try remover.removeStep(beyond: bounds)
    }

    /// Where the write-ahead log is.
    package var logPath: String { connection.logPath }

    /// Where the index of the write-ahead log is, which all who have the file open share.
    package var logIndexPath: String { "\(logPath.dropLast("-wal".count))-shm" }

    /// Brings all that is saved into the file itself, whatever name it has by now.
    ///
    /// Throws `SQLiteError` of reason `busy` while somebody reads, which SQLite tells in its answer only.
    package func checkpoint() throws {
        guard try cutLog() else {
            throw SQLiteError(
                reason: .busy, operation: "wal_checkpoint", message: "the file is being read",
                path: connection.path)
        }
    }

    /// Brings the write-ahead log into the file and makes it empty; false while somebody reads from it.
    package func cutLog() throws -> Bool {
        connection.setBusyTimeout(milliseconds: Self.cutTimeout)
        defer {
            connection.setBusyTimeout(
                milliseconds: SQLiteConnection.defaultBusyTimeoutMilliseconds)
        }
        return try connection.pragma("wal_checkpoint(TRUNCATE)") == "0"
    }

    /// The processes that read from the write-ahead log at this moment, by name and number.
    package func logReaders() -> [String] {
        LogReaders.names(ofIndex: logIndexPath)
    }
}
