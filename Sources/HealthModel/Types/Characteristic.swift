/// A characteristic of a person: a fact without a time, such as the date of birth.
///
/// Names and numbers are those of Apple's HKTypeIdentifiers.h and HKCharacteristicValues.h.
public enum Characteristic: String, CaseIterable, Sendable {
    /// The date of birth, in the Gregorian calendar: a ``CalendarDate``.
    case dateOfBirth
    /// The biological sex: a ``BiologicalSex``.
    case biologicalSex
    /// The blood type: a ``BloodType``.
    case bloodType
    /// The Fitzpatrick skin type: a ``FitzpatrickSkinType``.
    case fitzpatrickSkinType
    /// Whether the person uses a wheelchair: a ``WheelchairUse``.
    case wheelchairUse
    /// The unit of a day's movement goal: an ``ActivityMoveMode``.
    case activityMoveMode

    private static let prefix = "HKCharacteristicTypeIdentifier"

    /// HealthKit's identifier: `HKCharacteristicTypeIdentifierBloodType`.
    public var healthKitIdentifier: String {
        Self.prefix + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    /// Finds a characteristic by its name or by its HealthKit identifier.
    public static func named(_ name: String) -> Characteristic? {
        allCases.first { $0.rawValue == name || $0.healthKitIdentifier == name }
    }
}

/// A value of a characteristic, with HealthKit's number for it.
public protocol CharacteristicValue: RawRepresentable<Int>, CaseIterable, Sendable {
    /// The characteristic of this value.
    static var characteristic: Characteristic { get }
    /// HealthKit's name of the value in exports, such as `HKBloodTypeAPositive`.
    var healthKitIdentifier: String { get }
    /// The name of the value in the configuration and in commands, such as `A+`.
    var name: String { get }
}

extension CharacteristicValue {
    /// Makes a value from HealthKit's name; nil when this characteristic has no such value.
    public init?(healthKitIdentifier: String) {
        guard
            let value = Self.allCases.first(where: { $0.healthKitIdentifier == healthKitIdentifier }
            )
        else { return nil }
        self = value
    }

    /// The names of all values except `notSet`, which is the absence of a value.
    public static var names: [String] {
        allCases.filter { $0.rawValue != 0 }.map(\.name)
    }

    /// Makes a value from its name; nil when it is not one of ``names``.
    public init?(name: String) {
        guard let value = Self.allCases.first(where: { $0.rawValue != 0 && $0.name == name })
        else { return nil }
        self = value
    }
}
