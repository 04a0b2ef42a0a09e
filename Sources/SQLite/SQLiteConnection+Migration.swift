extension SQLiteConnection {
    /// Brings the schema up to date: step N leads from version N to N + 1.
    ///
    /// Each step is one transaction together with its version, so a crash leaves a whole version.
    /// Throws `foreignFile` or `newerFile`, and then has changed nothing.
    package func migrate(applicationID: Int32, steps: [String]) throws {
        while try version(applicationID: applicationID, newest: steps.count) < steps.count {
            try transaction {
                // Another process may have done the step meanwhile.
                let version = try version(applicationID: applicationID, newest: steps.count)
                guard version < steps.count else { return }
                try execute(steps[version])
                try pragma("application_id", to: String(applicationID))
                try pragma("user_version", to: String(version + 1))
            }
        }
    }

    /// The version of a file that is ours, or new and empty (0), without changing it.
    package func version(applicationID: Int32, newest: Int) throws(SQLiteError) -> Int {
        let version = try userVersion
        let owner = try self.applicationID
        let isNew = try owner == 0 && version == 0 ? isEmpty : false
        guard owner == Int(applicationID) || isNew else {
            throw SQLiteError(
                reason: .foreignFile, operation: "open",
                message: "the database belongs to another program", path: path)
        }
        guard (0...newest).contains(version) else {
            throw SQLiteError(
                reason: .newerFile, operation: "open",
                message: "the database has version \(version), this program knows \(newest)",
                path: path)
        }
        return version
    }

    /// Whether the file has no table yet.
    private var isEmpty: Bool {
        get throws(SQLiteError) {
            try !prepare("SELECT 1 FROM sqlite_master LIMIT 1").step()
        }
    }
}
