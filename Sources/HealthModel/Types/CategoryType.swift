/// The type of a category sample: its name, and the enumerated values of its samples.
///
/// Types are equal when their names are. A copy costs a reference.
public struct CategoryType: Hashable, Sendable, CustomStringConvertible {
    /// A value of a category type.
    public struct Value: Hashable, Sendable {
        /// The number in a sample.
        public let number: Int
        /// The name in HealthKit.
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

    /// HealthKit's short name, such as `sleepAnalysis`.
    public var name: String { storage.name }
    /// HealthKit's identifier.
    public var healthKitIdentifier: String {
        "HKCategoryTypeIdentifier" + name.prefix(1).uppercased() + name.dropFirst()
    }
    /// The values of samples; a type without different values has one, `notApplicable`.
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

/// The category types, with the names and numbers of HealthKit's HKTypeIdentifiers.h and
/// HKCategoryValues.h.
extension CategoryType {
    /// A high heart rate at rest, above the threshold in the metadata.
    public static let highHeartRateEvent = CategoryType("highHeartRateEvent")
    /// A low heart rate, below the threshold in the metadata.
    public static let lowHeartRateEvent = CategoryType("lowHeartRateEvent")
    /// An irregular heart rhythm.
    public static let irregularHeartRhythmEvent = CategoryType("irregularHeartRhythmEvent")
    /// A low cardio fitness (VO2max) for the person's age and sex.
    public static let lowCardioFitnessEvent = CategoryType(
        "lowCardioFitnessEvent", [1: "lowFitness"])
    /// Whether the person stood during an hour.
    public static let appleStandHour = CategoryType("appleStandHour", [0: "stood", 1: "idle"])
    /// A mindful session.
    public static let mindfulSession = CategoryType("mindfulSession")
    /// Time in bed and the stages of sleep.
    public static let sleepAnalysis = CategoryType(
        "sleepAnalysis",
        [
            0: "inBed", 1: "asleepUnspecified", 2: "awake", 3: "asleepCore", 4: "asleepDeep",
            5: "asleepREM",
        ])

    /// All category types.
    public static let all: [CategoryType] = [
        .highHeartRateEvent, .lowHeartRateEvent, .irregularHeartRhythmEvent,
        .lowCardioFitnessEvent, .appleStandHour, .mindfulSession, .sleepAnalysis,
    ]

    /// Finds a type by its name or by its HealthKit identifier.
    public static func named(_ name: String) -> CategoryType? {
        all.first { $0.name == name || $0.healthKitIdentifier == name }
    }
}
