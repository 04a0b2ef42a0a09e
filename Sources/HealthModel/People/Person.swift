/// A person whose samples are stored.
public struct Person: Hashable, Sendable {
    /// The longest name, in characters.
    public static let maximumNameLength = 64
    private static let maximumNameByteCount = 256
    /// The rule for names, for messages.
    static let nameRule = "1 to \(maximumNameLength) letters, digits, '-', '_' or '.'"

    /// The name of the person in samples, commands and the configuration.
    public let name: String
    /// The day of birth.
    public let birthDate: CalendarDate?
    /// The biological sex; nil when it is not set.
    public let sex: BiologicalSex?
    /// The blood type; nil when it is not set.
    public let bloodType: BloodType?
    /// The Fitzpatrick skin type; nil when it is not set.
    public let skinType: FitzpatrickSkinType?
    /// Whether the person uses a wheelchair; nil when it is not set.
    public let wheelchairUse: WheelchairUse?
    /// The unit of a day's movement goal; nil when it is not set.
    public let moveMode: ActivityMoveMode?
    /// The maximum heart rate; nil when it is not set.
    public let maximumHeartRate: Quantity?
    /// The heart rate zones; nil when they are not set.
    public let zones: ZoneSettings?
    /// Whether the person may be shown on a shared screen; nil when it is not set.
    public let wall: Bool?
    /// The preferred display units, for types that use another unit than the default.
    public let preferredUnits: [QuantityType: Unit]

    /// Makes a person.
    /// - Throws: when the name is not valid or a unit is not compatible with its type.
    public init(
        name: String, birthDate: CalendarDate? = nil, sex: BiologicalSex? = nil,
        bloodType: BloodType? = nil, skinType: FitzpatrickSkinType? = nil,
        wheelchairUse: WheelchairUse? = nil, moveMode: ActivityMoveMode? = nil,
        maximumHeartRate: Quantity? = nil, zones: ZoneSettings? = nil, wall: Bool? = nil,
        preferredUnits: [QuantityType: Unit] = [:]
    ) throws(PersonError) {
        guard Self.isValidName(name) else { throw .name }
        try Self.checkMaximumHeartRate(maximumHeartRate)
        // Sorted, so that the error always names the same one of several wrong units.
        for (type, unit) in preferredUnits.sorted(by: { $0.key.name < $1.key.name })
        where !type.canonicalUnit.isCompatible(with: unit) {
            throw .unitDoesNotFit(type: type.name, unit: unit.string)
        }
        self.name = name
        self.birthDate = birthDate
        self.sex = sex == .notSet ? nil : sex
        self.bloodType = bloodType == .notSet ? nil : bloodType
        self.skinType = skinType == .notSet ? nil : skinType
        self.wheelchairUse = wheelchairUse == .notSet ? nil : wheelchairUse
        self.moveMode = moveMode
        self.maximumHeartRate = maximumHeartRate
        self.zones = zones
        self.wall = wall
        self.preferredUnits = preferredUnits
    }

    /// Whether a name has 1 to 64 letters, digits, `-`, `_` or `.`.
    public static func isValidName(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= maximumNameByteCount else { return false }
        // Fast path: every sample is checked, and nearly all names are ASCII.
        if name.utf8.allSatisfy(isASCIINameByte) { return name.utf8.count <= maximumNameLength }
        return name.count <= maximumNameLength
            && name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }

    private static func isASCIINameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func checkMaximumHeartRate(_ quantity: Quantity?) throws(PersonError) {
        guard let quantity else { return }
        let type = QuantityType.heartRate
        guard let rate = try? quantity.value(in: type.canonicalUnit) else {
            throw .unitDoesNotFit(type: type.name, unit: quantity.unit.string)
        }
        guard let range = type.plausibleRange, range.contains(rate) else {
            throw .maximumHeartRate
        }
    }
}

/// An error of invalid values for a person.
public enum PersonError: Error, Equatable, CustomStringConvertible {
    /// The name is empty, too long or has invalid characters.
    case name
    /// The maximum heart rate is not plausible.
    case maximumHeartRate
    /// A unit is not compatible with its type.
    case unitDoesNotFit(type: String, unit: String)

    /// The message, without the value.
    public var description: String {
        switch self {
        case .name:
            "a person's name must be \(Person.nameRule)"
        case .maximumHeartRate:
            "maximumHeartRate is not plausible; set a value such as {value: 188, unit: \"count/min\"}"
        case .unitDoesNotFit(let type, let unit):
            "the unit \(unit) is not compatible with \(type); choose a compatible unit"
        }
    }
}
