/// The activity of a workout: an activity of HealthKit, or a custom one with its own name.
public struct WorkoutActivity: Hashable, Sendable {
    /// The maximum length of a name, in characters.
    public static let maximumNameLength = 64

    /// HealthKit's number; it may be one of a newer HealthKit that ``WorkoutActivityType`` does not
    /// have.
    public let number: UInt
    /// The name of a custom activity, which is `other` in HealthKit; nil for all others.
    public let customName: String?

    /// The rule for names of custom activities, for messages.
    package static let nameRule =
        "a name must be 1 to \(maximumNameLength) letters, digits, '-', '_' or '.'"

    /// Makes an activity of HealthKit.
    public init(_ type: WorkoutActivityType) {
        number = type.rawValue
        customName = nil
    }

    /// Makes an activity from its number; nil when the number is out of range.
    public init?(number: UInt) {
        guard number > 0, number <= UInt(Int32.max) else { return nil }
        self.number = number
        customName = nil
    }

    /// Makes a custom activity, which is `other` in HealthKit.
    ///
    /// Returns nil when the name is not valid: it must be 1 to 64 letters, digits, `-`, `_` or `.`,
    /// and not a name of HealthKit.
    public init?(customName: String) {
        guard Person.isValidName(customName), WorkoutActivityType.named(customName) == nil else {
            return nil
        }
        number = WorkoutActivityType.other.rawValue
        self.customName = customName
    }

    /// HealthKit's activity type; nil for one of a newer HealthKit.
    public var type: WorkoutActivityType? { WorkoutActivityType(rawValue: number) }

    /// The name for display and search, such as `running` or `prancercise`; the number if there is
    /// none.
    public var name: String { customName ?? type?.name ?? "\(number)" }
}

/// The location of a workout; the numbers are those of HKWorkoutSessionLocationType.
public enum WorkoutLocation: Int, Hashable, Sendable, CaseIterable {
    /// The location is unknown.
    case unknown = 1
    /// An indoor workout.
    case indoor = 2
    /// An outdoor workout.
    case outdoor = 3

    /// The name in JSON and in commands.
    public var name: String { String(describing: self) }
}
