package import HealthModel
import SQLite
package import StoreQueries

/// The workouts that imports have completed, with their versions before, for an undo.
extension SQLiteStore {
    /// Notes that an import stores another version of a workout.
    package func note(_ completion: WorkoutCompletion, by file: ImportedFile) throws {
        var content = completion.id.bytes
        RecordEncoder.append(.workout(completion.before), to: &content)
        try connection.transaction {
            let log = try ImportLog(connection)
            try log.begin(file)
            try log.note(completion: content, by: file)
        }
    }

    /// The completions of an import that were not undone, oldest first.
    package func completions(
        by file: ImportedFile, types: QuantityTypes
    ) throws -> [WorkoutCompletion] {
        guard try connection.userVersion >= Schema.importVersion else { return [] }
        let find = try connection.prepare(
            "SELECT number, content FROM imported WHERE kind = ? AND import = ? ORDER BY number")
        try find.bind(integer: ImportLog.completion, at: 1)
        try find.bind(integer: file.key, at: 2)
        var decoder = RecordDecoder(types: types, allowingUndeclared: true)
        var completions: [WorkoutCompletion] = []
        try find.forEachRow { row in
            let content = row.withBlob(at: 1) { Array($0) }
            guard let id = RecordID(bytes: content.prefix(16)),
                case .workout(let before)? = try? decoder.decode(content.dropFirst(16))
            else {
                throw SQLiteStoreError.unreadable(
                    table: "imported", row: row.integer(at: 0), column: "content",
                    path: connection.path)
            }
            completions.append(WorkoutCompletion(id: id, before: before))
        }
        return completions
    }

    /// Removes the notes about the completions of an import, which are undone.
    package func forgetCompletions(by file: ImportedFile) throws {
        let remove = try connection.prepare("DELETE FROM imported WHERE kind = ? AND import = ?")
        try remove.bind(integer: ImportLog.completion, at: 1)
        try remove.bind(integer: file.key, at: 2)
        try remove.run()
    }
}
