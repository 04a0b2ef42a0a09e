/// What the samples of a correlation are together.
public enum CorrelationType: String, Sendable, CaseIterable, CustomStringConvertible {
    /// A systolic and a diastolic pressure that were measured together.
    case bloodPressure
    /// What was in a meal: at least one dietary quantity, and whatever else belongs to it.
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

    /// What it must consist of, in words.
    var expectedMembers: String {
        switch self {
        case .bloodPressure: "one bloodPressureSystolic and one bloodPressureDiastolic"
        case .food: "at least one dietary quantity"
        }
    }

    /// Whether samples can be the members, as far as their types go.
    func allows(_ members: [Correlation.Member]) -> Bool {
        switch self {
        case .bloodPressure:
            members.count == 2 && members.contains { $0.typeName == Self.systolic }
                && members.contains { $0.typeName == Self.diastolic }
        case .food: members.contains(where: \.isDietary)
        }
    }

    private static let systolic = QuantityType.bloodPressureSystolic.name
    private static let diastolic = QuantityType.bloodPressureDiastolic.name
}

extension Correlation.Member {
    /// HealthKit names all that is eaten and drunk in this way.
    fileprivate var isDietary: Bool {
        guard case .quantity(let sample) = self else { return false }
        return sample.type.name.hasPrefix("dietary")
    }
}
