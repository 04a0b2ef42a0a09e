/// A step of a migration.
package enum MigrationStep: Sendable, ExpressibleByStringLiteral {
    /// Runs SQL.
    case sql(String)
    /// Runs SQL, then a function, then SQL.
    case converting(
        before: String, @Sendable (SQLiteConnection) throws -> Void, after: String)

    /// Makes a step that runs SQL.
    package init(stringLiteral sql: String) { self = .sql(sql) }
}

extension SQLiteConnection {
    /// Migrates the schema to the newest version: step N migrates from version N to N + 1.
    ///
    /// Each step commits its changes and its version in one transaction, so a crash leaves a
    /// complete version. A new file gets all steps in one: a reader finds no schema or the newest. Throws `foreignFile` or `newerFile` without changing the file.
    ///
    /// - Parameter willMigrate: Called before a file that is not new is changed, with its version.
    package func migrate(
        applicationID: Int32, steps: [MigrationStep], willMigrate: (Int) -> Void = { _ in }
    ) throws {
        let first = try version(applicationID: applicationID, newest: steps.count)
        if (1..<steps.count).contains(first) { willMigrate(first) }
        while try version(applicationID: applicationID, newest: steps.count) < steps.count {
            try transaction {
                // Another process may have applied the step meanwhile.
                let version = try version(applicationID: applicationID, newest: steps.count)
                guard version < steps.count else { return }
                let next = version == 0 ? steps.count : version + 1
                for step in steps[version..<next] { try run(step) }
                try pragma("application_id", to: String(applicationID))
                try pragma("user_version", to: String(next))
            }
        }
    }

    private func run(_ step: MigrationStep) throws {
        switch step {
        case .sql(let sql): try execute(sql)
        case .converting(let before, let convert, let after):
            try execute(before)
            try convert(self)
            try execute(after)
        }
    }

    /// Reads the schema version of a file of this program (0 in a new, empty file).
    ///
    /// The file is not changed. Throws `foreignFile` or `newerFile`.
    package func version(applicationID: Int32, newest: Int) throws(SQLiteError) -> Int {
        guard !isInTransaction else {
            return try currentVersion(applicationID: applicationID, newest: newest)
        }
        // One snapshot for all three reads: another connection may commit a step between them.
        try execute("BEGIN")
        defer { try? execute("COMMIT") }
        return try currentVersion(applicationID: applicationID, newest: newest)
    }

    private func currentVersion(
        applicationID: Int32, newest: Int
    ) throws(SQLiteError) -> Int {
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
                message: "schema version \(version) is not supported, the newest is \(newest)",
                path: path)
        }
        return version
    }

    /// Whether the file has no tables.
    private var isEmpty: Bool {
        get throws(SQLiteError) {
            try !prepare("SELECT 1 FROM sqlite_master LIMIT 1").step()
        }
    }
}
