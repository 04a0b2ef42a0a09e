import HealthModel
import HealthStore
import SQLite

/// The insertion of all records but quantity samples.
extension RecordWriter {
    /// Inserts a correlation, which counts as one record.
    ///
    /// A member that is already stored is linked unchanged. When its id belongs to a sample of another type or
    /// person the correlation is skipped, because it could not be read again or imported from an export.
    func insert(_ correlation: Correlation) throws -> SaveResult {
        guard try !correlations.contains(correlation.id) else { return .alreadyStored }
        for member in correlation.samples {
            guard try canLink(member, in: correlation) else { return .memberConflict }
        }
        let row = correlations.insert
        try bind(correlation.id, to: row)
        try bind(
            type: correlation.type.name, from: correlation.start, to: correlation.end, on: row)
        try row.bind(integer: correlation.person.map(people.row), at: 5)
        try row.bind(integer: correlation.device.map(devices.row), at: 6)
        try row.bind(integer: correlation.source.map(sources.row), at: 7)
        try row.bind(text: MetadataText.text(of: correlation.metadata), at: 8)
        try row.run()
        _ = noteIfNew(.correlation)
        let sequence = connection.lastInsertedRow
        for member in correlation.samples { try insert(member, to: sequence) }
        return .stored
    }

    /// Returns whether the sample was new.
    func insert(_ sample: CategorySample) throws -> Bool {
        let row = insertCategory
        try bind(sample.id, to: row)
        try bind(type: sample.type.name, from: sample.start, to: sample.end, on: row)
        try row.bind(integer: Int64(sample.value), at: 5)
        try row.bind(integer: sample.person.map(people.row), at: 6)
        try row.bind(integer: sample.device.map(devices.row), at: 7)
        try row.bind(integer: sample.source.map(sources.row), at: 8)
        try row.bind(text: MetadataText.text(of: sample.metadata), at: 9)
        try row.run()
        return noteIfNew(.category)
    }

    /// Binds the type and the times to parameters 2 to 4.
    private func bind(
        type name: String, from start: Instant, to end: Instant, on row: SQLiteStatement
    ) throws {
        let type = try otherTypes.row(of: name)
        try updateLongest(type, to: end.nanoseconds(since: start))
        try row.bind(integer: type, at: 2)
        try row.bind(integer: start.nanosecondsSince1970, at: 3)
        try row.bind(integer: end.nanosecondsSince1970, at: 4)
    }

    /// Returns whether the workout was new.
    func insert(_ workout: Workout) throws -> Bool {
        let row = insertWorkout
        try bind(workout.id, to: row)
        try row.bind(integer: Int64(workout.activity.number), at: 2)
        try row.bind(text: workout.activity.customName, at: 3)
        try row.bind(integer: Int64(workout.location.rawValue), at: 4)
        try row.bind(integer: workout.start.nanosecondsSince1970, at: 5)
        try row.bind(integer: workout.end.nanosecondsSince1970, at: 6)
        try row.bind(integer: workout.person.map(people.row), at: 7)
        try row.bind(integer: workout.device.map(devices.row), at: 8)
        try row.bind(integer: workout.source.map(sources.row), at: 9)
        try row.bind(text: workout.events.isEmpty ? nil : workout.eventsJSON, at: 10)
        try row.bind(text: workout.totals.isEmpty ? nil : workout.totalsJSON, at: 11)
        try row.bind(text: MetadataText.text(of: workout.metadata), at: 12)
        try row.run()
        return noteIfNew(.workout)
    }

    /// Returns whether the event was new.
    func insert(_ event: DeviceEvent) throws -> Bool {
        let row = insertEvent
        try bind(event.id, to: row)
        try row.bind(integer: event.at.nanosecondsSince1970, at: 2)
        try row.bind(integer: devices.row(of: event.device), at: 3)
        try row.bind(integer: event.source.map(sources.row), at: 4)
        try row.bind(integer: event.person.map(people.row), at: 5)
        try row.bind(text: event.state.connection?.rawValue, at: 6)
        try row.bind(integer: event.state.contact.map { $0 ? 1 : 0 }, at: 7)
        try row.bind(real: event.state.battery, at: 8)
        try row.bind(text: event.reason, at: 9)
        try row.bind(text: MetadataText.text(of: event.metadata), at: 10)
        try row.run()
        return noteIfNew(.event)
    }

    private func bind(_ id: RecordID, to row: SQLiteStatement) throws {
        try row.bind(id, at: 1)
    }

    // Only a duplicate id is ignored; any other conflict is an error.
    static let insertCategorySQL = """
        INSERT INTO category (
            id, type, start_ns, end_ns, value, person, device, source, metadata
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """

    static let insertWorkoutSQL = """
        INSERT INTO workout (
            id, activity, own_name, location, start_ns, end_ns, person, device, source, events,
            totals, metadata
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """

    static let insertEventSQL = """
        INSERT INTO event (
            id, at_ns, device, source, person, connection, contact, battery, reason, metadata
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """
}
