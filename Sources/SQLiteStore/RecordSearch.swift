import HealthModel
import HealthStore
import SQLite

/// Finds records of any kind and type by a predicate.
///
/// It reads the records within the bounds of the predicate, type by type in the order of their start,
/// and merges them; so a limit ends it early.
struct RecordSearch {
    private let predicate: RecordPredicate
    private let order: QueryOrder
    private let workouts: [RecordID: Workout]
    private var cursors: [RecordCursor] = []

    /// Prepares a search.
    init(
        _ predicate: RecordPredicate, _ order: QueryOrder, _ store: SQLiteStore,
        _ types: QuantityTypes
    ) async throws {
        self.predicate = predicate
        self.order = order
        var workouts: [RecordID: Workout] = [:]
        for id in predicate.workoutIDs { workouts[id] = try await store.workout(id, types: types) }
        self.workouts = workouts
        let bounds = RecordBounds(predicate, workouts: workouts)
        for type in try await store.recordTypes(within: bounds, types) {
            let query = RecordQuery(
                type: type, from: bounds.start, to: bounds.end, person: bounds.person, order: order)
            cursors.append(RecordCursor(query, store, types))
        }
    }

    /// Returns the matching records.
    mutating func records(limit: Int?) async throws -> [Record] {
        var found: [Record] = []
        let limit = limit ?? .max
        while found.count < limit, let record = try await next() {
            if predicate.matches(record, workouts: workouts) { found.append(record) }
        }
        return found
    }

    /// The next record of all types.
    private mutating func next() async throws -> Record? {
        for index in cursors.indices { try await cursors[index].fill() }
        cursors.removeAll { $0.first == nil }
        let first = cursors.indices.min { left, right in
            guard let left = cursors[left].first?.span.start,
                let right = cursors[right].first?.span.start
            else { return false }
            return order == .oldestFirst ? left < right : left > right
        }
        return first.flatMap { cursors[$0].pop() }
    }
}

/// The records of one type, of which a page is in memory.
private struct RecordCursor {
    private static let largestPage = 1_024

    private let query: RecordQuery
    private let store: SQLiteStore
    private let types: QuantityTypes
    private var page: ArraySlice<Record> = []
    private var position: SamplePosition?
    /// The first page is small: most recent records are often all that is wanted.
    private var size = 16
    private var isAtEnd = false

    init(_ query: RecordQuery, _ store: SQLiteStore, _ types: QuantityTypes) {
        self.query = query
        self.store = store
        self.types = types
    }

    var first: Record? { page.first }

    mutating func pop() -> Record? { page.popFirst() }

    /// Reads the next page when there is no record left of the last one.
    mutating func fill() async throws {
        guard page.isEmpty, !isAtEnd else { return }
        let next = try await store.page(of: query, types: types, after: position, size: size)
        page = next.items[...]
        position = next.last
        isAtEnd = next.items.count < size
        size = min(size * 4, Self.largestPage)
    }
}

extension SQLiteStore {
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
