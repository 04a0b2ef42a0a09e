import HealthModel

/// The conditions of a query as SQL, with the values of its placeholders.
struct SampleConditions {
    private var clauses: [String] = []
    private(set) var parameters: [Int64] = []

    /// The expression for WHERE.
    var sql: String { clauses.isEmpty ? "1" : clauses.joined(separator: " AND ") }

    /// The expressions of what is not a column of every table.
    private struct Expressions {
        var end = "end_ns"
        var person = "person"
        var device = "device"

        static let sample = Expressions(
            end: SampleReader.table.end,
            person: "(SELECT person FROM origin WHERE origin.id = sample.origin)",
            device: "(SELECT device FROM origin WHERE origin.id = sample.origin)")
    }

    /// Makes the conditions of a query after a position; nil when no record can match.
    ///
    /// - Parameter isContinued: Whether the caller adds the condition of a position.
    init?(
        _ query: RecordQuery, after position: SamplePosition? = nil, isContinued: Bool = false,
        _ lookup: RowLookup
    ) throws {
        let names = query.type?.isQuantity == true ? Expressions.sample : Expressions()
        // The maximum duration of a record, which is stored for each type.
        var longest = Int64.max
        if let name = query.type?.name, query.type != .workout {
            guard let type = try lookup.type(named: name) else { return nil }
            add("type = ?", type.row)
            longest = type.maximumNanoseconds
        }
        let time = query.type == nil ? "at_ns" : "start_ns"
        // A position is the tighter bound of the start. With both bounds SQLite may use the other
        // one and read all rows before the position for every page.
        let isBelow = isContinued || position != nil && query.order == .oldestFirst
        let isAbove = position != nil && query.order == .newestFirst
        if let position { add(time, after: position, order: query.order) }
        if let from = query.from {
            if query.type == nil {
                add("at_ns >= ?", from.nanosecondsSince1970)
            } else {
                if !isBelow { addBound(from, longest: longest) }
                addEnd(names.end, after: from)
            }
        }
        if let to = query.to, !isAbove { add("\(time) < ?", to.nanosecondsSince1970) }
        if let name = query.person {
            guard let person = try lookup.person(named: name) else { return nil }
            add("\(names.person) = ?", person)
        }
        if let name = query.device {
            let devices = try lookup.devices(matching: name)
            guard !devices.isEmpty else { return nil }
            // Row ids as text, because the number of placeholders in a statement is limited.
            let rows = devices.map(String.init).joined(separator: ", ")
            add("\(names.device) IN (\(rows))")
        }
    }

    /// Adds the condition that a record sorts after the last one of a page.
    private mutating func add(
        _ time: String, after position: SamplePosition, order: QueryOrder
    ) {
        let comparison = order == .oldestFirst ? ">" : "<"
        add("(\(time), sequence) \(comparison) (?, ?)", position.startNanoseconds, position.row)
    }

    /// Adds a lower bound of the start of samples that end after a time: the index is by start.
    private mutating func addBound(_ from: Instant, longest: Int64) {
        // The maximum value means that the duration overflowed and gives no bound. In a damaged file
        // the value may be negative.
        guard (0..<Int64.max).contains(longest) else { return }
        add("start_ns >= ?", from.adding(nanoseconds: -longest).nanosecondsSince1970)
    }

    /// Adds the condition that a sample ends after a time or starts at it.
    private mutating func addEnd(_ end: String, after time: Instant) {
        add("(start_ns >= ? OR \(end) > ?)", time.nanosecondsSince1970, time.nanosecondsSince1970)
    }

    private mutating func add(_ clause: String, _ values: Int64...) {
        clauses.append(clause)
        parameters += values
    }
}

extension RecordType {
    fileprivate var isQuantity: Bool {
        if case .quantity = self { true } else { false }
    }
}
