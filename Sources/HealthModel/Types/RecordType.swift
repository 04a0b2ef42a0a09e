/// The type of a record of any kind except device events; names are unique across kinds.
public enum RecordType: Hashable, Sendable, CustomStringConvertible {
    /// The type of a quantity sample.
    case quantity(QuantityType)
    /// The type of a category sample.
    case category(CategoryType)
    /// The type of a correlation.
    case correlation(CorrelationType)
    /// The type of all workouts.
    case workout

    /// The short name.
    public var name: String {
        switch self {
        case .quantity(let type): type.name
        case .category(let type): type.name
        case .correlation(let type): type.name
        case .workout: Self.workoutName
        }
    }

    /// The name.
    public var description: String { name }

    /// The names of all types except quantity types.
    public static let otherNames =
        CategoryType.all.map(\.name) + CorrelationType.allCases.map(\.name) + [workoutName]

    /// Finds a type that is not a quantity type by its name or by its HealthKit identifier.
    public static func other(named name: String) -> RecordType? {
        if let type = CategoryType.named(name) { return .category(type) }
        if name == workoutName || name == workoutIdentifier { return .workout }
        return CorrelationType.named(name).map { .correlation($0) }
    }

    private static let workoutName = "workout"
    private static let workoutIdentifier = "HKWorkoutTypeIdentifier"
}
