import HealthModel
import HealthStore

/// Finds records of any kind and type by a predicate.
///
/// It reads the records within the bounds of the predicate, type by type in the order of their start,
/// and merges them; so a limit ends it early.
struct RecordSearch {
    private let predicate: RecordPredicate
    private let order: QueryOrder
    private let workouts: [RecordID: Workout]
    private var cursors: [RecordCursor] = []
    /// The records with the ids of the predicate; nil when it has none.
    private let identified: [Record]?

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
        identified = try await store.identified(within: bounds, types)
        guard identified == nil else { return }
        for type in try await store.recordTypes(within: bounds, types) {
            let query = RecordQuery(
                type: type, from: bounds.start, to: bounds.end, person: bounds.person, order: order)
            cursors.append(RecordCursor(query, store, types))
        }
    }

    /// Returns the matching records.
    mutating func records(limit: Int?) async throws -> [Record] {
        let limit = max(limit ?? .max, 0)
        if let identified {
            return Array(identified.filter(matches).sorted(by: precedes).prefix(limit))
        }
        var found: [Record] = []
        while found.count < limit, let record = try await next() {
            if matches(record) { found.append(record) }
        }
        return found
    }

    private func matches(_ record: Record) -> Bool {
        predicate.matches(record, workouts: workouts)
    }

    private func precedes(_ left: Record, _ right: Record) -> Bool {
        let (left, right) = (left.span.start, right.span.start)
        return order == .oldestFirst ? left < right : left > right
    }

    /// The next record of all types.
    private mutating func next() async throws -> Record? {
        for index in cursors.indices { try await cursors[index].fill() }
        cursors.removeAll { $0.first == nil }
        let first = cursors.indices.min { left, right in
            guard let left = cursors[left].first, let right = cursors[right].first else {
                return false
            }
            return precedes(left, right)
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
