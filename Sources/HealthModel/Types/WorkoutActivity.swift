/// What somebody does in a workout: one of HealthKit's activities, or something that has a name of its own.
public struct WorkoutActivity: Hashable, Sendable {
    /// The longest name, in characters.
    public static let maximumNameLength = 64

    /// HealthKit's number; one that ``WorkoutActivityType`` does not know is one of a newer HealthKit.
    public let number: UInt
    /// The own name of what HealthKit only knows as `other`; nil for all else.
    public let ownName: String?

    /// What an own name is made of, in words.
    package static let nameRule =
        "a name has 1 to \(maximumNameLength) letters, digits, '-', '_' or '.'"

    /// One of HealthKit's activities.
    public init(_ type: WorkoutActivityType) {
        number = type.rawValue
        ownName = nil
    }

    /// An activity by its number, or nil when it is no number of one.
    public init?(number: UInt) {
        guard number > 0, number <= UInt(Int32.max) else { return nil }
        self.number = number
        ownName = nil
    }

    /// An activity of one's own, which is `other` to HealthKit; nil when the name is not valid: it has 1 to
    /// 64 letters, digits, `-`, `_` or `.`, and is none of HealthKit's.
    public init?(ownName: String) {
        guard Person.isValidName(ownName), WorkoutActivityType.named(ownName) == nil else {
            return nil
        }
        number = WorkoutActivityType.other.rawValue
        self.ownName = ownName
    }

    /// The activity as HealthKit knows it; nil for one of a newer HealthKit.
    public var type: WorkoutActivityType? { WorkoutActivityType(rawValue: number) }

    /// The name to show and to search by: `running`, `prancercise`; the number where there is no name.
    public var name: String { ownName ?? type?.name ?? "\(number)" }
}

/// Where a workout took place; the numbers are those of HKWorkoutSessionLocationType.
public enum WorkoutLocation: Int, Hashable, Sendable, CaseIterable {
    /// Nobody said.
    case unknown = 1
    /// Under a roof.
    case indoor = 2
    /// In the open.
    case outdoor = 3

    /// The name in JSON and for users.
    public var name: String { String(describing: self) }
}
