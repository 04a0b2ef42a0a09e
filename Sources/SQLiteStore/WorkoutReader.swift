import HealthModel
import SQLite

/// Reads workouts from the store.
struct WorkoutReader {
    private let connection: SQLiteConnection
    private let lookup: RowLookup
    private let types: QuantityTypes
    /// False for a read-only file of an older schema version.
    private let hasTable: Bool

    init(
        _ connection: SQLiteConnection, _ lookup: RowLookup, types: QuantityTypes = .standard
    ) throws {
        self.connection = connection
        self.lookup = lookup
        self.types = types
        hasTable = try connection.userVersion >= Schema.workoutVersion
    }

    /// Returns the workouts of a query, newest first.
    func workouts(matching query: WorkoutQuery) throws -> [Workout] {
        guard hasTable, let conditions = try Conditions(query, lookup) else { return [] }
        let rows = try connection.prepare(
            """
            SELECT \(Self.columns) FROM workout WHERE \(conditions.sql)
            ORDER BY start_ns DESC, sequence DESC
            """)
        defer { rows.reset() }
        for (index, value) in zip(Int32(1)..., conditions.numbers) {
            try rows.bind(integer: value, at: index)
        }
        if let customName = query.activity?.customName {
            try rows.bind(text: customName, at: Int32(conditions.numbers.count) + 1)
        }
        var workouts: [Workout] = []
        while workouts.count < query.limit ?? .max, try rows.step() {
            let workout = try workout(of: rows)
            guard query.matches(workout) else { continue }
            workouts.append(workout)
        }
        return workouts
    }

    /// Returns the workouts with ids in a range, oldest first.
    func workouts(from first: RecordID, through last: RecordID, limit: Int) throws -> [Workout] {
        guard hasTable else { return [] }
        let rows = try connection.prepare(
            """
            SELECT \(Self.columns) FROM workout WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3
            """)
        try rows.bind(first, at: 1)
        try rows.bind(last, at: 2)
        try rows.bind(integer: Int64(max(limit, 0)), at: 3)
        var workouts: [Workout] = []
        try rows.forEachRow { workouts.append(try workout(of: Row($0, lookup, connection.path))) }
        return workouts
    }

    /// Returns the ids of all workouts, in order.
    func ids() throws -> [RecordID] {
        guard hasTable else { return [] }
        let rows = try connection.prepare("SELECT id FROM workout ORDER BY id")
        var ids: [RecordID] = []
        try rows.forEachRow { row in RecordID(row, at: 0).map { ids.append($0) } }
        return ids
    }

    /// Returns the custom activities that workouts have.
    func customActivities() throws -> [WorkoutActivity] {
        guard hasTable else { return [] }
        let rows = try connection.prepare(
            "SELECT DISTINCT own_name FROM workout WHERE own_name IS NOT NULL")
        var activities: [WorkoutActivity] = []
        try rows.forEachRow { row in
            guard let name = row.text(at: 0), let activity = WorkoutActivity(customName: name)
            else { return }
            activities.append(activity)
        }
        return activities
    }

    // MARK: Rows

    private static let columns = """
        sequence, id, activity, own_name, location, start_ns, end_ns, person, device, source,
        metadata, events, totals
        """

    static let table = RecordTable(name: "workout", columns: columns, timeIndex: 5)

    /// Reads the workout of a row with the columns of `table`.
    func workout(of row: SQLiteStatement) throws -> Workout {
        try workout(of: Row(row, lookup, connection.path))
    }

    private func workout(of row: Row) throws -> Workout {
        do {
            return try Workout(
                id: row.id, activity: row.activity, location: row.location, start: row.start,
                end: row.end,
                events: row.events.map { try Workout.events(acceptedJSON: $0) } ?? [],
                totals: row.totals.map {
                    try Workout.totals(acceptedJSON: $0, types: types)
                } ?? [],
                person: row.person, device: row.device, source: row.source,
                metadata: row.metadata)
        } catch {
            throw SQLiteStoreError.unreadable(
                table: "workout", row: row.sequence, column: "events, totals, start_ns or end_ns",
                path: connection.path)
        }
    }

    /// A row whose events and totals are not decoded yet.
    struct Row {
        let sequence: Int64
        let id: RecordID
        let activity: WorkoutActivity
        let location: WorkoutLocation
        let start: Instant
        let end: Instant
        let person: String?
        let device: Device?
        let source: SourceRevision?
        let metadata: Metadata
        let events: String?
        let totals: String?

        init(_ row: SQLiteStatement, _ lookup: RowLookup, _ path: String) throws {
            sequence = row.integer(at: 0)
            guard let id = RecordID(row, at: 1) else { throw Self.unreadable("id", row, path) }
            guard let activity = Self.activity(row) else {
                throw Self.unreadable("activity", row, path)
            }
            guard let location = WorkoutLocation(rawValue: Int(row.integer(at: 4))) else {
                throw Self.unreadable("location", row, path)
            }
            var text = MetadataText()
            guard let metadata = text.metadata(of: row.text(at: 10)) else {
                throw Self.unreadable("metadata", row, path)
            }
            self.id = id
            self.activity = activity
            self.location = location
            self.metadata = metadata
            start = Instant(nanosecondsSince1970: row.integer(at: 5))
            end = Instant(nanosecondsSince1970: row.integer(at: 6))
            person = try lookup.people.value(at: 7, of: row)
            device = try lookup.devices.value(at: 8, of: row)
            source = try lookup.sources.value(at: 9, of: row)
            events = row.text(at: 11)
            totals = row.text(at: 12)
        }

        /// Decodes the activity; a custom name that HealthKit has adopted since becomes
        /// HealthKit's.
        private static func activity(_ row: SQLiteStatement) -> WorkoutActivity? {
            guard let name = row.text(at: 3) else {
                return UInt(exactly: row.integer(at: 2)).flatMap { WorkoutActivity(number: $0) }
            }
            return WorkoutActivity(customName: name)
                ?? WorkoutActivityType.named(name).map { WorkoutActivity($0) }
        }

        private static func unreadable(
            _ column: String, _ row: SQLiteStatement, _ path: String
        ) -> SQLiteStoreError {
            .unreadable(table: "workout", row: row.integer(at: 0), column: column, path: path)
        }
    }

    /// The conditions of a query in SQL; the custom name of an activity is the last parameter.
    private struct Conditions {
        private var clauses = ["1"]
        private(set) var numbers: [Int64] = []

        var sql: String { clauses.joined(separator: " AND ") }

        /// Nil when no workout can match.
        init?(_ query: WorkoutQuery, _ lookup: RowLookup) throws {
            if let name = query.person {
                guard let person = try lookup.person(named: name) else { return nil }
                add("person = ?", person)
            }
            if let from = query.from?.nanosecondsSince1970 {
                add("(start_ns >= ? OR end_ns > ?)", from, from)
            }
            if let to = query.to { add("start_ns < ?", to.nanosecondsSince1970) }
            if let activity = query.activity {
                add("activity = ?", Int64(activity.number))
                add(activity.customName == nil ? "own_name IS NULL" : "own_name = ?")
            }
        }

        private mutating func add(_ clause: String, _ values: Int64...) {
            clauses.append(clause)
            numbers += values
        }
    }
}
