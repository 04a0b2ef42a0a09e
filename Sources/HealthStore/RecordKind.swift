public import HealthModel

/// The kinds of records; the numbers are those in files of a store.
public enum RecordKind: Int64, CaseIterable, Sendable, Codable {
    /// A quantity sample.
    case sample = 1
    /// A category sample.
    case category = 2
    /// A correlation, such as a blood pressure.
    case correlation = 3
    /// A workout.
    case workout = 4
    /// A change of a device's state.
    case event = 5

    /// The kind of a record; nil for a deletion.
    public init?(_ record: Record) {
        switch record {
        case .sample: self = .sample
        case .category: self = .category
        case .correlation: self = .correlation
        case .workout: self = .workout
        case .event: self = .event
        case .deletion: return nil
        }
    }
}
