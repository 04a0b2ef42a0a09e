package import HealthModel

/// The kinds of records; the numbers are those in the table `deletion`.
package enum RecordKind: Int64, CaseIterable, Sendable {
    case sample = 1
    case category = 2
    case correlation = 3
    case workout = 4
    case event = 5

    /// The kind of a record.
    package init(_ record: Record) {
        self =
            switch record {
            case .sample: .sample
            case .category: .category
            case .correlation: .correlation
            case .workout: .workout
            case .event: .event
            }
    }

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
