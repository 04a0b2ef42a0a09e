/// The rule for the value of a known metadata key; unknown keys accept any value.
///
/// The kinds of values and the raw keys are those of HealthKit's HKMetadata.h.
enum MetadataRule: Sendable {
    case string
    case boolean
    case number
    /// A whole number in a range.
    case wholeNumber(ClosedRange<Double>)
    /// A quantity in a unit compatible with this one.
    case quantity(Unit)
    /// The name of a time zone.
    case timeZone

    /// The rule of a key; nil for an unknown key.
    static func of(_ key: String) -> MetadataRule? { rules[key] }

    /// Whether the rule allows a value.
    func allows(_ value: MetadataValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.boolean, .boolean), (.number, .number): true
        case (.wholeNumber(let range), .number(let number)):
            range.contains(number) && number.rounded() == number
        case (.quantity(let unit), .quantity(let quantity)): quantity.isCompatible(with: unit)
        case (.timeZone, .string(let name)): TimeZoneName.isValid(name)
        default: false
        }
    }

    /// The expected value, for messages.
    var expected: String {
        switch self {
        case .string: "a string"
        case .boolean: "true or false"
        case .number: "a number"
        case .wholeNumber(let range):
            "a whole number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .quantity(let unit): "a quantity in a unit compatible with \(unit)"
        case .timeZone: "an IANA time zone name such as Europe/Berlin"
        }
    }

    private static let rules: [String: MetadataRule] = [
        MetadataKey.heartRateSensorLocation.name: .wholeNumber(0...6),
        MetadataKey.heartRateMotionContext.name: .wholeNumber(0...2),
        MetadataKey.userMotionContext.name: .wholeNumber(0...2),
        MetadataKey.heartRateEventThreshold.name: .quantity(.countPerMinute),
        MetadataKey.syncIdentifier.name: .string,
        MetadataKey.syncVersion.name: .number,
        MetadataKey.externalUUID.name: .string,
        MetadataKey.wasUserEntered.name: .boolean,
        MetadataKey.timeZone.name: .timeZone,
        MetadataKey.deviceSerialNumber.name: .string,
        MetadataKey.deviceName.name: .string,
        MetadataKey.deviceManufacturerName.name: .string,
        MetadataKey.udiDeviceIdentifier.name: .string,
        MetadataKey.indoorWorkout.name: .boolean,
        MetadataKey.lapLength.name: .quantity(.meter),
        MetadataKey.averageMETs.name: .quantity(.kilocaloriePerHourAndKilogram),
        MetadataKey.workoutBrandName.name: .string,
        MetadataKey.elevationAscended.name: .quantity(.meter),
        MetadataKey.elevationDescended.name: .quantity(.meter),
        MetadataKey.averageSpeed.name: .quantity(.meterPerSecond),
        MetadataKey.maximumSpeed.name: .quantity(.meterPerSecond),
        MetadataKey.vo2MaxTestType.name: .wholeNumber(testTypes),
        MetadataKey.heartRateRecoveryTestType.name: .wholeNumber(testTypes),
        MetadataKey.heartRateRecoveryActivityType.name: .wholeNumber(activityTypes),
        MetadataKey.heartRateRecoveryActivityDuration.name: .quantity(.second),
        MetadataKey.heartRateRecoveryMaximumRate.name: .quantity(.countPerMinute),
        MetadataKey.clockUnset.name: .boolean,
    ]

    /// 1 to 3 are documented; newer systems have more, whose numbers are not published.
    private static let testTypes = 1.0...99
    /// HKWorkoutActivityType: 1 to 84, and 3000 for other.
    private static let activityTypes = 1.0...3_000
}

/// The names of the IANA time zone database.
package enum TimeZoneName {
    /// Names have up to three parts, such as America/Argentina/Buenos_Aires.
    private static let maximumPartCount = 3
    /// The maximum length of a part (theory.html of the database).
    private static let maximumPartLength = 14

    /// Whether a text has the syntax of a name; the database may not be installed on this machine.
    package static func isValid(_ name: String) -> Bool {
        let parts = name.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count <= maximumPartCount && parts.allSatisfy(isValidPart)
    }

    private static func isValidPart(_ part: Substring.UTF8View) -> Bool {
        guard part.count <= maximumPartLength, let first = part.first, isLetter(first) else {
            return false
        }
        return part.allSatisfy { byte in
            isLetter(byte) || byte &- UInt8(ascii: "0") < 10
                || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
