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
        LogReaders.names(ofIndex: "\(logPath.dropLast("-wal".count))-shm")
    }
}
