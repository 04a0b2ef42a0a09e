import HealthModel

/// The rows of one kind of a selection, as SQL with the values of its placeholders.
struct DeletionConditions {
    private(set) var sql: String
    private(set) var parameters: [Int64]
    /// Whether rows are found by time; otherwise by number.
    private(set) var isByTime = true

    /// Makes the conditions for rows after a position; nil when none can match.
    init?(
        _ selection: DeletionSelection, _ kind: RecordKind, after position: SamplePosition? = nil,
        _ lookup: RowLookup
    ) throws {
        switch selection {
        case .records: return nil
        case .person(let name):
            guard let person = try lookup.person(named: name) else { return nil }
            isByTime = false
            sql = "sequence > ? AND \(kind.person) = ?"
            parameters = [position?.row ?? .min, person]
        case .matching(let wanted):
            guard
                let conditions = try SampleConditions(
                    wanted.query.selecting(RecordType?.some(wanted.query.type)), after: position,
                    lookup)
            else { return nil }
            sql = conditions.sql
            parameters = conditions.parameters
            try add(wanted, kind, lookup)
        }
    }

    private mutating func add(
        _ wanted: DeletionSelection.Conditions, _ kind: RecordKind, _ lookup: RowLookup
    ) throws {
        if wanted.hasNoPerson { sql += " AND \(kind.person) IS NULL" }
        if let source = wanted.source {
            let rows = try lookup.sources(named: source).map(String.init)
            sql += " AND \(kind.source) IN (\(rows.joined(separator: ", ")))"
        }
        guard wanted.isWithin else { return }
        if let from = wanted.query.from {
            sql += " AND start_ns >= \(from.nanosecondsSince1970)"
        }
        if let to = wanted.query.to { sql += " AND \(kind.end) <= \(to.nanosecondsSince1970)" }
    }
}
