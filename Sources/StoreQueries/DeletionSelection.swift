package import HealthModel
package import HealthStore

/// Which records to delete.
package enum DeletionSelection: Hashable, Sendable {
    /// The records with these ids, of some kinds.
    case records([RecordID], kinds: Set<RecordKind>)
    /// The records of a type that match conditions.
    case matching(Conditions)
    /// All records of the person with this name.
    case person(String)

    /// The conditions of records of one type.
    package struct Conditions: Hashable, Sendable {
        /// The type, the times, the device and the person; a limit and an order have no effect.
        package var query: StoreQuery<RecordType>
        /// Only records of a source with this name.
        package var source: String?
        /// Only records that are within the times of the query, not those that overlap them.
        package var isWithin: Bool
        /// Only records without a person.
        package var hasNoPerson: Bool

        package init(
            _ query: StoreQuery<RecordType>, source: String? = nil, isWithin: Bool = false,
            hasNoPerson: Bool = false
        ) {
            self.query = query
            self.source = source
            self.isWithin = isWithin
            self.hasNoPerson = hasNoPerson
        }
    }

    /// The same selection without what starts after a time, if it has conditions: so records that are
    /// stored after a preview remain.
    package func until(_ time: Instant) -> DeletionSelection {
        guard case .matching(var conditions) = self else { return self }
        let end = time.adding(nanoseconds: 1)
        conditions.query.to = conditions.query.to.map { min($0, end) } ?? end
        return .matching(conditions)
    }

    /// The kinds of the records, samples first.
    package var kinds: [RecordKind] {
        switch self {
        case .records(_, let kinds): RecordKind.allCases.filter(kinds.contains)
        case .matching(let conditions):
            switch conditions.query.type {
            case .quantity: [.sample]
            case .category: [.category]
            case .correlation: [.correlation]
            case .workout: [.workout]
            }
        case .person: RecordKind.allCases
        }
    }
}

/// Records of one type and one person that are to be deleted.
package struct DeletionGroup: Hashable, Sendable {
    package let kind: RecordKind
    /// The name of the type; nil for workouts and device events.
    package let type: String?
    package let person: String?
    package var count: Int
    /// The start of the first record.
    package var start: Instant
    /// The end of the last record.
    package var end: Instant

    /// Creates a value from its parts.
    package init(
        kind: RecordKind, type: String?, person: String?, count: Int, start: Instant, end: Instant
    ) {
        self.kind = kind
        self.type = type
        self.person = person
        self.count = count
        self.start = start
        self.end = end
    }
}

/// The number of deleted records of one type.
package struct DeletionCount: Hashable, Sendable {
    package let kind: RecordKind
    /// The name of the type; nil for workouts and device events.
    package let type: String?
    package var count: Int

    /// Creates a value from its parts.
    package init(kind: RecordKind, type: String?, count: Int) {
        self.kind = kind
        self.type = type
        self.count = count
    }
}
