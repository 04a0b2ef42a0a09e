import HealthModel

/// The conditions of a query as SQL, with the numbers of its placeholders.
struct SampleConditions {
    private var clauses: [String] = []
    private(set) var parameters: [Int64] = []

    /// All clauses, for WHERE.
    var sql: String { clauses.isEmpty ? "1" : clauses.joined(separator: " AND ") }

    /// Makes the conditions of a query, from a position in it on; nil when no record can match.
    init?(
        _ query: RecordQuery, after position: SamplePosition? = nil, _ lookup: RowLookup
    ) throws {
        // How long a record can be at most, which the store knows of types.
        var longest = Int64.max
        if let name = query.type?.name, query.type != .workout {
            guard let type = try lookup.type(named: name) else { return nil }
            add("type = ?", type.row)
            longest = type.maximumNanoseconds
        }
        let time = query.type == nil ? "at_ns" : "start_ns"
        // A position is a bound of the start itself, and the closer one. Of two SQLite may take the other,
        // and read for every page all that is before it.
        let isBelow = position != nil && query.order == .oldestFirst
        let isAbove = position != nil && query.order == .newestFirst
        if let position { add(time, after: position, order: query.order) }
        if let from = query.from {
            if query.type == nil {
                add("at_ns >= ?", from.nanosecondsSince1970)
            } else {
                if !isBelow { addBound(from, longest: longest) }
                addEnd(after: from)
            }
        }
        if let to = query.to, !isAbove { add("\(time) < ?", to.nanosecondsSince1970) }
        if let name = query.person {
            guard let person = try lookup.person(named: name) else { return nil }
            add("person = ?", person)
        }
        if let name = query.device {
            let devices = try lookup.devices(known: name)
            guard !devices.isEmpty else { return nil }
            // Row numbers as text: a statement may have only so many placeholders.
            add("device IN (\(devices.map(String.init).joined(separator: ", ")))")
        }
    }

    /// Goes on after the last record of a page.
    private mutating func add(
        _ time: String, after position: SamplePosition, order: SampleQuery.Order
    ) {
        let comparison = order == .oldestFirst ? ">" : "<"
        add("(\(time), sequence) \(comparison) (?, ?)", position.startNanoseconds, position.row)
    }

    /// Adds how far back a sample may start that ends after the time: the index is by start.
    private mutating func addBound(_ from: Instant, longest: Int64) {
        // At this length the type's bound is cut off, and says nothing.
        guard longest < .max else { return }
        add("start_ns >= ?", from.adding(nanoseconds: -longest).nanosecondsSince1970)
    }

    /// Adds that a sample ends after the time or starts at it.
    private mutating func addEnd(after time: Instant) {
        add("(start_ns >= ? OR end_ns > ?)", time.nanosecondsSince1970, time.nanosecondsSince1970)
    }

    private mutating func add(_ clause: String, _ values: Int64...) {
        clauses.append(clause)
        parameters += values
    }
}
