/// The biological sex.
public enum BiologicalSex: Int, CharacteristicValue {
    /// The value is not set.
    case notSet = 0
    /// Female.
    case female = 1
    /// Male.
    case male = 2
    /// Neither of the two.
    case other = 3

    /// The characteristic of this value.
    public static var characteristic: Characteristic { .biologicalSex }
    /// The name: `female`.
    public var name: String { String(describing: self) }
    /// HealthKit's name of the value.
    public var healthKitIdentifier: String {
        switch self {
        case .notSet: "HKBiologicalSexNotSet"
        case .female: "HKBiologicalSexFemale"
        case .male: "HKBiologicalSexMale"
        case .other: "HKBiologicalSexOther"
        }
    }
}

/// The blood type, with the Rhesus factor.
public enum BloodType: Int, CharacteristicValue {
    /// The value is not set.
    case notSet = 0
    /// A+.
    case aPositive = 1
    /// A-.
    case aNegative = 2
    /// B+.
    case bPositive = 3
    /// B-.
    case bNegative = 4
    /// AB+.
    case abPositive = 5
    /// AB-.
    case abNegative = 6
    /// O+.
    case oPositive = 7
    /// O-.
    case oNegative = 8

    /// The characteristic of this value.
    public static var characteristic: Characteristic { .bloodType }
    /// The usual notation: `A+`.
    public var name: String {
        switch self {
        case .notSet: "notSet"
        case .aPositive: "A+"
        case .aNegative: "A-"
        case .bPositive: "B+"
        case .bNegative: "B-"
        case .abPositive: "AB+"
        case .abNegative: "AB-"
        case .oPositive: "O+"
        case .oNegative: "O-"
        }
    }
    /// HealthKit's name of the value.
    public var healthKitIdentifier: String {
        switch self {
        case .notSet: "HKBloodTypeNotSet"
        case .aPositive: "HKBloodTypeAPositive"
        case .aNegative: "HKBloodTypeANegative"
        case .bPositive: "HKBloodTypeBPositive"
        case .bNegative: "HKBloodTypeBNegative"
        case .abPositive: "HKBloodTypeABPositive"
        case .abNegative: "HKBloodTypeABNegative"
        case .oPositive: "HKBloodTypeOPositive"
        case .oNegative: "HKBloodTypeONegative"
        }
    }
}

/// The skin type on the Fitzpatrick scale.
public enum FitzpatrickSkinType: Int, CharacteristicValue {
    /// The value is not set.
    case notSet = 0
    /// Always burns, never tans.
    case type1 = 1
    /// Burns easily, tans little.
    case type2 = 2
    /// Burns at times, tans slowly.
    case type3 = 3
    /// Burns little, tans well.
    case type4 = 4
    /// Burns seldom, tans deeply.
    case type5 = 5
    /// Never burns.
    case type6 = 6

    /// The characteristic of this value.
    public static var characteristic: Characteristic { .fitzpatrickSkinType }
    /// The Roman number: `III`.
    public var name: String {
        switch self {
        case .notSet: "notSet"
        case .type1: "I"
        case .type2: "II"
        case .type3: "III"
        case .type4: "IV"
        case .type5: "V"
        case .type6: "VI"
        }
    }
    /// HealthKit's name of the value.
    public var healthKitIdentifier: String {
        switch self {
        case .notSet: "HKFitzpatrickSkinTypeNotSet"
        case .type1: "HKFitzpatrickSkinTypeI"
        case .type2: "HKFitzpatrickSkinTypeII"
        case .type3: "HKFitzpatrickSkinTypeIII"
        case .type4: "HKFitzpatrickSkinTypeIV"
        case .type5: "HKFitzpatrickSkinTypeV"
        case .type6: "HKFitzpatrickSkinTypeVI"
        }
    }
}

/// Whether the person uses a wheelchair.
public enum WheelchairUse: Int, CharacteristicValue {
    /// The value is not set.
    case notSet = 0
    /// The person does not use a wheelchair.
    case no = 1
    /// The person uses a wheelchair.
    case yes = 2

    /// The characteristic of this value.
    public static var characteristic: Characteristic { .wheelchairUse }
    /// The name: `yes`.
    public var name: String { String(describing: self) }
    /// HealthKit's name of the value.
    public var healthKitIdentifier: String {
        switch self {
        case .notSet: "HKWheelchairUseNotSet"
        case .no: "HKWheelchairUseNo"
        case .yes: "HKWheelchairUseYes"
        }
    }
}

/// The unit of a day's movement goal.
public enum ActivityMoveMode: Int, CharacteristicValue {
    /// Active energy.
    case activeEnergy = 1
    /// Minutes of movement.
    case appleMoveTime = 2

    /// The characteristic of this value.
    public static var characteristic: Characteristic { .activityMoveMode }
    /// The name: `activeEnergy`.
    public var name: String { String(describing: self) }
    /// HealthKit's name of the value.
    public var healthKitIdentifier: String {
        switch self {
        case .activeEnergy: "HKActivityMoveModeActiveEnergy"
        case .appleMoveTime: "HKActivityMoveModeAppleMoveTime"
        }
    }
}
