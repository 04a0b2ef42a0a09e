extension SQLiteConnection {
    /// Reads a pragma; nil when SQLite returns no value.
    package func pragma(_ name: String) throws(SQLiteError) -> String? {
        try firstText("PRAGMA \(name)")
    }

    /// Sets a pragma and returns the value now in effect.
    @discardableResult
    package func pragma(_ name: String, to value: String) throws(SQLiteError) -> String? {
        try firstText("PRAGMA \(name) = \(value)")
    }

    /// The schema version in the file header; 0 in a new file.
    package var userVersion: Int {
        get throws(SQLiteError) { try headerNumber("user_version") }
    }

    /// The application ID in the file header; 0 in a new file.
    package var applicationID: Int {
        get throws(SQLiteError) { try headerNumber("application_id") }
    }

    private func headerNumber(_ name: String) throws(SQLiteError) -> Int {
        try pragma(name).flatMap { Int($0) } ?? 0
    }

    private func firstText(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(at: 0) : nil
    }
}
