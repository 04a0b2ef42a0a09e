import HealthModel
import HealthStore
import SQLite

extension SQLiteStore {
    /// Returns the records with the ids of bounds; nil when they have none, or in a file of an earlier
    /// version.
    func identified(within bounds: RecordBounds, _ types: QuantityTypes) throws -> [Record]? {
        guard let ids = bounds.ids, try connection.userVersion >= Schema.changeVersion else {
            return nil
        }
        let reader = try RowReader(connection, lookup, types: types)
        return try bounds.kinds.flatMap { kind in
            let rows = DeletionRows(connection, kind)
            return try ids.flatMap { id -> [Record] in
                guard let row = try rows.find(id)?.position.row, row > .min else { return [] }
                return try reader.records(of: kind, after: row - 1, through: row, limit: 1)
                    .map(\.record).filter { $0.id == id }
            }
        }
    }

    /// The types of which the store may have records within bounds; nil for device events.
    func recordTypes(
        within bounds: RecordBounds, _ types: QuantityTypes
    ) throws -> [RecordType?] {
        var found: [RecordType?] = []
        let names = try connection.prepare("SELECT name, id FROM type ORDER BY id")
        try names.forEachRow { row in
            guard let name = row.text(at: 0), bounds.types?.contains(name) ?? true else { return }
            if let type = try recordType(named: name, row.integer(at: 1), types),
                bounds.kinds.contains(type.kind)
            {
                found.append(type)
            }
        }
        let workout = RecordType.workout
        if bounds.kinds.contains(.workout), bounds.types?.contains(workout.name) ?? true {
            found.append(workout)
        }
        if bounds.kinds.contains(.event), bounds.types == nil { found.append(nil) }
        return found
    }

    /// The type of a name; nil when there are no samples of it.
    ///
    /// One that is no longer declared has the unit of a sample.
    private func recordType(
        named name: String, _ row: Int64, _ types: QuantityTypes
    ) throws -> RecordType? {
        if let type = types.named(name) { return .quantity(type) }
        if let type = RecordType.other(named: name) { return type }
        let unit = try connection.prepare(
            """
            SELECT (SELECT unit FROM origin WHERE origin.id = sample.origin)
            FROM sample WHERE type = ? LIMIT 1
            """)
        try unit.bind(integer: row, at: 1)
        guard try unit.step() else { return nil }
        return .quantity(
            QuantityType(undeclared: name, unit: try lookup.units.value(of: unit.integer(at: 0))))
    }
}

extension RecordType {
    /// The kind of its records.
    fileprivate var kind: RecordKind {
        switch self {
        case .quantity: .sample
        case .category: .category
        case .correlation: .correlation
        case .workout: .workout
        }
    }
}
