/// The type of a record that is about a person, of whichever kind; no two have the same name.
public enum RecordType: Hashable, Sendable, CustomStringConvertible {
    /// Of measured values.
    case quantity(QuantityType)
    /// Of what was so for a time.
    case category(CategoryType)
    /// Of samples that belong together.
    case correlation(CorrelationType)
    /// Of workouts, whatever their activity.
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

    /// The names of all that are no quantities.
    public static let otherNames =
        CategoryType.all.map(\.name) + CorrelationType.allCases.map(\.name) + [workoutName]

    /// Finds a type that is no quantity by its name or by its HealthKit identifier.
    public static func other(named name: String) -> RecordType? {
        if let type = CategoryType.named(name) { return .category(type) }
        if name == workoutName || name == workoutIdentifier { return .workout }
        return CorrelationType.named(name).map { .correlation($0) }
    }

    private static let workoutName = "workout"
    private static let workoutIdentifier = "HKWorkoutTypeIdentifier"
}
