/// A fact about a person that is no sample: it has no time, and there is one of it.
///
/// Names and numbers are those of Apple's HKTypeIdentifiers.h and HKCharacteristicValues.h. That a
/// value is not set is a value; that nobody may read it would be an error.
public enum Characteristic: String, CaseIterable, Sendable {
    /// The day of birth, in the Gregorian calendar: a ``CalendarDate``.
    case dateOfBirth
    /// The biological sex: a ``BiologicalSex``.
    case biologicalSex
    /// The blood group: a ``BloodType``.
    case bloodType
    /// How skin takes the sun: a ``FitzpatrickSkinType``.
    case fitzpatrickSkinType
    /// Whether a wheelchair is used: a ``WheelchairUse``.
    case wheelchairUse
    /// What a day's movement is counted in: an ``ActivityMoveMode``.
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
    /// What it is a value of.
    static var characteristic: Characteristic { get }
    /// HealthKit's name of the value in exports: `HKBloodTypeAPositive`.
    var healthKitIdentifier: String { get }
    /// The word for the value in the configuration and in commands: `A+`.
    var name: String { get }
}

extension CharacteristicValue {
    /// Takes HealthKit's name of a value; nil when it is none of this characteristic.
    public init?(healthKitIdentifier: String) {
        guard
            let value = Self.allCases.first(where: { $0.healthKitIdentifier == healthKitIdentifier }
            )
        else { return nil }
        self = value
    }

    /// The names of all values but `notSet`, which a person has who has no value.
    public static var names: [String] {
        allCases.filter { $0.rawValue != 0 }.map(\.name)
    }

    /// Takes the name of a value; nil when it is none of ``names``.
    public init?(name: String) {
        guard let value = Self.allCases.first(where: { $0.rawValue != 0 && $0.name == name })
        else { return nil }
        self = value
    }
}
