extension SQLiteConnection {
    /// Runs the body in one write transaction: all of it is committed, or nothing.
    ///
    /// The write lock is taken at the beginning, so the body does not fail half-way because
    /// another writer was quicker. Transactions do not nest.
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

    /// Leaves the transaction, unless SQLite has already done so (it may, on a full disk).
    private func rollBack() {
        guard isInTransaction else { return }
        // ROLLBACK ends the transaction even when it reports an error; the first error counts.
        try? execute("ROLLBACK")
    }
}
