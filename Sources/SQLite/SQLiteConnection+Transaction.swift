extension SQLiteConnection {
    /// Runs the body in a write transaction, which is rolled back when the body throws.
    ///
    /// `BEGIN IMMEDIATE` acquires the write lock first, so that the body cannot fail half-way
    /// because of another writer. Transactions do not nest.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs the body in a read transaction, in which the file does not change.
    ///
    /// Transactions do not nest.
    package func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN")
        // Nothing was written, so that a failure has no effect.
        defer { try? execute("COMMIT") }
        return try body()
    }

    /// Rolls back, unless SQLite has already done so (it may, on a full disk).
    private func rollBack() {
        guard isInTransaction else { return }
        // ROLLBACK ends the transaction even when it reports an error; the first error counts.
        try? execute("ROLLBACK")
    }
}
