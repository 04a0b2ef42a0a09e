import HealthModel
import SQLite

/// Keeps one record of each workout: that with the highest version.
///
/// The versions of a workout overlap in time, so that few rows are compared.
final class WorkoutVersions {
    private let find: SQLiteStatement
    private let remove: SQLiteStatement
    private var text = MetadataText()

    init(_ connection: SQLiteConnection) throws {
        find = try connection.prepare(
            """
            SELECT sequence, id, metadata FROM workout
            WHERE start_ns <= ?1 AND end_ns >= ?2 AND person IS ?3
            """)
        remove = try connection.prepare("DELETE FROM workout WHERE sequence = ?")
    }

    /// The rows of the earlier versions of a workout; nil when the store has this version or a later
    /// one.
    ///
    /// - Parameter person: The row of the workout's person.
    func earlier(than workout: Workout, person: Int64?) throws -> [Int64]? {
        let known = try versions(of: workout, person)
        guard known.allSatisfy({ $0.version < workout.version }) else { return nil }
        return known.map(\.row)
    }

    func remove(_ rows: [Int64]) throws {
        for row in rows {
            try remove.bind(integer: row, at: 1)
            try remove.run()
        }
    }

    func reset() {
        find.reset()
        remove.reset()
    }

    private func versions(
        of workout: Workout, _ person: Int64?
    ) throws -> [(row: Int64, version: Double)] {
        defer { find.reset() }
        try find.bind(integer: workout.end.nanosecondsSince1970, at: 1)
        try find.bind(integer: workout.start.nanosecondsSince1970, at: 2)
        try find.bind(integer: person, at: 3)
        var versions: [(row: Int64, version: Double)] = []
        while try find.step() {
            let metadata = text.metadata(of: find.text(at: 2)) ?? Metadata()
            let id = RecordID(find, at: 1)?.description
            guard metadata[.syncIdentifier] ?? id == workout.identifier else { continue }
            versions.append((find.integer(at: 0), metadata[.syncVersion] ?? 0))
        }
        return versions
    }
}
