/// The type of a correlation.
public enum CorrelationType: String, Sendable, CaseIterable, CustomStringConvertible {
    /// A systolic and a diastolic pressure of one measurement.
    case bloodPressure
    /// The nutrients of a meal: at least one dietary quantity, and related samples.
    case food

    /// HealthKit's short name.
    public var name: String { rawValue }

    /// HealthKit's identifier.
    public var healthKitIdentifier: String {
        "HKCorrelationTypeIdentifier" + name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The name.
    public var description: String { name }

    /// Finds a type by its name or by its HealthKit identifier.
    public static func named(_ name: String) -> CorrelationType? {
        allCases.first { $0.name == name || $0.healthKitIdentifier == name }
    }

    /// The required members, for messages.
    var expectedMembers: String {
        switch self {
        case .bloodPressure: "one bloodPressureSystolic and one bloodPressureDiastolic"
        case .food: "at least one dietary quantity"
        }
    }

    /// Whether the types of the members are allowed.
    func allows(_ members: [Correlation.Member]) -> Bool {
        switch self {
        case .bloodPressure:
            members.count == 2 && members.contains { $0.typeName == Self.systolic }
                && members.contains { $0.typeName == Self.diastolic }
        case .food: members.contains { Self.isDietary($0.typeName) }
        }
    }

    /// Whether a type is dietary, by its name: HealthKit names all such types with this prefix.
    package static func isDietary(_ name: String) -> Bool { name.hasPrefix("dietary") }

    private static let systolic = QuantityType.bloodPressureSystolic.name
    private static let diastolic = QuantityType.bloodPressureDiastolic.name
}
