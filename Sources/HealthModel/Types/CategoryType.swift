/// What a category sample tells: its name, and the values it can have, each a case and not a measure.
///
/// Types are equal when their names are. A copy costs a reference.
public struct CategoryType: Hashable, Sendable, CustomStringConvertible {
    /// One of the values that a type has.
    public struct Value: Hashable, Sendable {
        /// The number in a sample.
        public let number: Int
        /// HealthKit's name of it.
        public let name: String
    }

    private let storage: Storage

    private final class Storage: Sendable {
        let name: String
        let values: [Value]

        init(_ name: String, _ values: [Value]) {
            self.name = name
            self.values = values
        }
    }

    /// Makes a type.
    init(_ name: String, _ values: KeyValuePairs<Int, String> = [0: "notApplicable"]) {
        storage = Storage(name, values.map { Value(number: $0.key, name: $0.value) })
    }

    /// HealthKit's short name, as `sleepAnalysis`.
    public var name: String { storage.name }
    /// HealthKit's identifier.
    public var healthKitIdentifier: String {
        "HKCategoryTypeIdentifier" + name.prefix(1).uppercased() + name.dropFirst()
    }
    /// The values that samples can have; a type that only tells that something was has one.
    public var values: [Value] { storage.values }

    /// The name of a value; nil when the type has no such value.
    public func nameOfValue(_ number: Int) -> String? {
        values.first { $0.number == number }?.name
    }

    /// The name.
    public var description: String { name }

    /// Whether two types have the same name.
    public static func == (left: CategoryType, right: CategoryType) -> Bool {
        left.storage === right.storage || left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

/// The types; names and numbers are those of HealthKit's HKTypeIdentifiers.h and HKCategoryValues.h.
extension CategoryType {
    /// The heart beat faster than a threshold, which is in the metadata, while the person was at rest.
    public static let highHeartRateEvent = CategoryType("highHeartRateEvent")
    /// The heart beat slower than a threshold, which is in the metadata.
    public static let lowHeartRateEvent = CategoryType("lowHeartRateEvent")
    /// The beats of the heart were irregular.
    public static let irregularHeartRhythmEvent = CategoryType("irregularHeartRhythmEvent")
    /// The person can take up little oxygen for their age and sex.
    public static let lowCardioFitnessEvent = CategoryType(
        "lowCardioFitnessEvent", [1: "lowFitness"])
    /// Whether the person stood in an hour.
    public static let appleStandHour = CategoryType("appleStandHour", [0: "stood", 1: "idle"])
    /// The person was mindful.
    public static let mindfulSession = CategoryType("mindfulSession")
    /// Whether the person was in bed or asleep, and how deep.
    public static let sleepAnalysis = CategoryType(
        "sleepAnalysis",
        [
            0: "inBed", 1: "asleepUnspecified", 2: "awake", 3: "asleepCore", 4: "asleepDeep",
            5: "asleepREM",
        ])

    /// Every type.
    public static let all: [CategoryType] = [
        .highHeartRateEvent, .lowHeartRateEvent, .irregularHeartRhythmEvent,
        .lowCardioFitnessEvent, .appleStandHour, .mindfulSession, .sleepAnalysis,
    ]

    /// Finds a type by its name or by its HealthKit identifier.
    public static func named(_ name: String) -> CategoryType? {
        all.first { $0.name == name || $0.healthKitIdentifier == name }
    }
}
