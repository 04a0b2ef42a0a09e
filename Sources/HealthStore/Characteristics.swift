public import HealthModel

/// The characteristics of a person: facts without a time, which HealthKit's store answers too.
///
/// One that is nil is not set; `notSet` becomes nil.
public struct Characteristics: Hashable, Sendable {
    /// The date of birth.
    public let dateOfBirth: CalendarDate?
    /// The biological sex.
    public let biologicalSex: BiologicalSex?
    /// The blood type.
    public let bloodType: BloodType?
    /// The Fitzpatrick skin type.
    public let fitzpatrickSkinType: FitzpatrickSkinType?
    /// Whether the person uses a wheelchair.
    public let wheelchairUse: WheelchairUse?
    /// The unit of a day's movement goal.
    public let activityMoveMode: ActivityMoveMode?

    /// Makes characteristics; none by default.
    public init(
        dateOfBirth: CalendarDate? = nil, biologicalSex: BiologicalSex? = nil,
        bloodType: BloodType? = nil, fitzpatrickSkinType: FitzpatrickSkinType? = nil,
        wheelchairUse: WheelchairUse? = nil, activityMoveMode: ActivityMoveMode? = nil
    ) {
        self.dateOfBirth = dateOfBirth
        self.biologicalSex = biologicalSex == .notSet ? nil : biologicalSex
        self.bloodType = bloodType == .notSet ? nil : bloodType
        self.fitzpatrickSkinType = fitzpatrickSkinType == .notSet ? nil : fitzpatrickSkinType
        self.wheelchairUse = wheelchairUse == .notSet ? nil : wheelchairUse
        self.activityMoveMode = activityMoveMode
    }

    /// The characteristics among the facts about a person.
    public init(of person: Person) {
        self.init(
            dateOfBirth: person.birthDate, biologicalSex: person.sex, bloodType: person.bloodType,
            fitzpatrickSkinType: person.skinType, wheelchairUse: person.wheelchairUse,
            activityMoveMode: person.moveMode)
    }

    /// The value of a characteristic that has named values; nil when it is not set.
    public func value<Value: CharacteristicValue>(_ type: Value.Type) -> Value? {
        switch Value.characteristic {
        case .biologicalSex: biologicalSex as? Value
        case .bloodType: bloodType as? Value
        case .fitzpatrickSkinType: fitzpatrickSkinType as? Value
        case .wheelchairUse: wheelchairUse as? Value
        case .activityMoveMode: activityMoveMode as? Value
        case .dateOfBirth: nil
        }
    }
}

/// The answer to a question for one characteristic of a person.
public enum CharacteristicAnswer<Value: Hashable & Sendable>: Hashable, Sendable {
    /// It is set.
    case value(Value)
    /// The person is known, and the characteristic is not set.
    case notSet
    /// The store knows no person with this name.
    case unknownPerson
}

extension HealthStore {
    /// The date of birth of a person.
    public func dateOfBirth(
        of person: String
    ) async throws(HealthStoreError) -> CharacteristicAnswer<CalendarDate> {
        try await answer(of: person) { $0.dateOfBirth }
    }

    /// A characteristic of a person, such as the `BloodType`.
    public func characteristic<Value: CharacteristicValue & Hashable>(
        _ type: Value.Type, of person: String
    ) async throws(HealthStoreError) -> CharacteristicAnswer<Value> {
        try await answer(of: person) { $0.value(type) }
    }

    private func answer<Value>(
        of person: String, _ value: (Characteristics) -> Value?
    ) async throws(HealthStoreError) -> CharacteristicAnswer<Value> {
        guard let known = try await characteristics(of: person) else { return .unknownPerson }
        return value(known).map { .value($0) } ?? .notSet
    }
}
