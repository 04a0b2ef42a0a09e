extension SQLiteConnection {
    /// The value of a setting of the file or the connection; nil when SQLite gives none.
    package func pragma(_ name: String) throws(SQLiteError) -> String? {
        try firstText("PRAGMA \(name)")
    }

    /// Changes a setting, and returns what SQLite says it is now.
    @discardableResult
    package func pragma(_ name: String, to value: String) throws(SQLiteError) -> String? {
        try firstText("PRAGMA \(name) = \(value)")
    }

    /// The version of the schema, kept in the file's header; 0 in a new file.
    package var userVersion: Int {
        get throws(SQLiteError) { try headerNumber("user_version") }
    }

    /// The number of the program that the file belongs to; 0 in a new file.
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
