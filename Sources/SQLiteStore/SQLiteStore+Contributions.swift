package import HealthModel
import HealthStore
import SQLite
package import StoreQueries

/// What imported files have of workouts, for an undo.
extension SQLiteStore {
    /// Notes what a file has of a workout, once.
    ///
    /// - Parameter stored: The workout before the import, which is noted too if no file has contributed to it.
    package func note(
        _ contribution: WorkoutContribution, to identifier: String, stored: Workout?
    ) throws {
        guard let file = contribution.file else { return }
        let key = WorkoutContribution.key(of: identifier)
        try connection.transaction {
            let log = try ImportLog(connection)
            try log.begin(file)
            if let stored, try !log.hasContribution(to: key) {
                let importer = try importer(of: stored.id)
                let base = WorkoutContribution(file: importer, workout: stored)
                try log.note(contribution: base.content, to: key, by: importer)
            }
            let content = contribution.content
            guard try !log.hasContribution(to: key, by: file, content) else { return }
            try log.note(contribution: content, to: key, by: file)
        }
    }

    /// What every file has of the workouts that a file has contributed to, by the key of the workout, in
    /// the order of the imports.
    package func contributions(
        withThoseOf file: ImportedFile, types: QuantityTypes
    ) throws -> [Int64: [WorkoutContribution]] {
        guard try connection.userVersion >= Schema.importVersion else { return [:] }
        let find = try connection.prepare(
            """
            SELECT number, import, last, content FROM imported WHERE kind = ?1 AND last IN (
                SELECT last FROM imported WHERE kind = ?1 AND import = ?2) ORDER BY number
            """)
        try find.bind(integer: ImportLog.contribution, at: 1)
        try find.bind(integer: file.key, at: 2)
        var found: [Int64: [WorkoutContribution]] = [:]
        try find.forEachRow { row in
            let contribution = WorkoutContribution(
                file: row.integer(at: 1), content: row.withBlob(at: 3) { Array($0) }, types: types)
            guard let contribution else {
                throw SQLiteStoreError.unreadable(
                    table: "imported", row: row.integer(at: 0), column: "content",
                    path: connection.path)
            }
            found[row.integer(at: 2), default: []].append(contribution)
        }
        return found
    }

    /// Makes samples those of another import.
    package func note(_ samples: [RecordID], of file: ImportedFile) throws {
        try connection.transaction {
            try ImportLog(connection).note(samples, of: .sample, by: file)
        }
    }

    /// Whether it is noted what files have of a workout.
    package func hasContributions(to identifier: String) throws -> Bool {
        guard try connection.userVersion >= Schema.importVersion else { return false }
        let key = WorkoutContribution.key(of: identifier)
        return try ImportLog(connection).hasContribution(to: key)
    }

    /// Removes the notes about what a file has of some workouts.
    package func forgetContributions(of file: ImportedFile, to identifiers: [String]) throws {
        let remove = try connection.prepare(
            "DELETE FROM imported WHERE kind = ? AND import = ? AND last = ?")
        try connection.transaction {
            for identifier in identifiers {
                try remove.bind(integer: ImportLog.contribution, at: 1)
                try remove.bind(integer: file.key, at: 2)
                try remove.bind(integer: WorkoutContribution.key(of: identifier), at: 3)
                try remove.run()
            }
        }
    }
}
