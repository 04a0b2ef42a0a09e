import HealthStore

/// The names in SQL of each kind.
extension RecordKind {
    /// The name of the table.
    var table: String { "\(self)" }

    /// Whether the rows have a type.
    var hasType: Bool { self == .sample || self == .category || self == .correlation }

    // The expressions of the columns of the kind's table.
    var type: String { hasType ? "\(table).type" : "NULL" }
    var start: String { self == .event ? "at_ns" : "start_ns" }
    var end: String {
        switch self {
        case .sample: "start_ns + duration_ns"
        case .event: "at_ns"
        default: "end_ns"
        }
    }
    var person: String { self == .sample ? origin("person") : "\(table).person" }
    var source: String { self == .sample ? origin("source") : "\(table).source" }

    private func origin(_ column: String) -> String {
        "(SELECT \(column) FROM origin WHERE origin.id = sample.origin)"
    }
}
