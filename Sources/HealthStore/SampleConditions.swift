import HealthModel

/// The conditions of a query as SQL, with the numbers of its placeholders.
struct SampleConditions {
    private var clauses: [String] = []
    private(set) var parameters: [Int64] = []

    /// All clauses, for WHERE.
    var sql: String { clauses.joined(separator: " AND ") }

    /// Makes the conditions of a query; nil when no sample can match.
    init?(_ query: SampleQuery, _ lookup: RowLookup) throws {
        try self.init(ofType: query.type.name, from: query.from, to: query.to, lookup)
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

    /// Makes the conditions of a type and of a time; nil when there is none of that type.
    init?(ofType name: String, from: Instant?, to: Instant?, _ lookup: RowLookup) throws {
        guard let type = try lookup.type(named: name) else { return nil }
        add("type = ?", type.row)
        if let from { add(from: from, longest: type.longestNanoseconds) }
        if let to { add("start_ns < ?", to.nanosecondsSince1970) }
    }

    /// Goes on after the last sample of a page.
    mutating func add(after position: SamplePosition, order: SampleQuery.Order) {
        let comparison = order == .oldestFirst ? ">" : "<"
        add("(start_ns, sequence) \(comparison) (?, ?)", position.startNanoseconds, position.row)
    }

    /// Adds that a sample ends after the time or starts at it.
    ///
    /// The index is by start, so the first clause bounds how far back an earlier start may be.
    private mutating func add(from: Instant, longest: Int64) {
        let time = from.nanosecondsSince1970
        // At this length the type's bound is cut off, and says nothing.
        if longest < .max {
            add("start_ns >= ?", from.adding(nanoseconds: -longest).nanosecondsSince1970)
        }
        add("(start_ns >= ? OR end_ns > ?)", time, time)
    }

    private mutating func add(_ clause: String, _ values: Int64...) {
        clauses.append(clause)
        parameters += values
    }
}
