import HealthModel

/// The times and the origin of an element, from which the id of its record is made.
struct AppleOrigin {
    let person: String?
    let start: Instant
    let end: Instant
    /// The time at which the element was added to Apple Health.
    let created: Instant?
    let device: Device?
    let source: SourceRevision?

    /// The id of the record, the same in every export that has it.
    ///
    /// The texts of the device and the unit are not part of it: an export has the device's address
    /// in memory, and a unit follows the settings of the phone. A value in another unit differs in
    /// its last digits, so it counts with 12 bits after the first one.
    func id(of type: String, value: Double) -> RecordID {
        let times = "\(end.nanosecondsSince1970) \(created?.nanosecondsSince1970 ?? 0)"
        let seed = RecordID.Seed(
            device: "Apple Health\u{0}\(person ?? "")\u{0}\(source?.name ?? "")",
            stream: "\(type)\u{0}\(times)")
        let rounded = (value.bitPattern &+ 1 << 39) >> 40
        return RecordID(start: start, seed: seed, key: rounded)
    }
}

/// The times of an export: `2024-01-31 12:34:56 +0100`.
enum AppleTime {
    /// Reads a time; nil for anything else.
    static func instant(_ text: String?) -> Instant? {
        guard var text, text.utf8.count == 25 else { return nil }
        return text.withUTF8 { bytes in
            guard bytes[10] == UInt8(ascii: " "), bytes[19] == UInt8(ascii: " ") else {
                return nil
            }
            // ISO 8601 has no space before the offset, and a colon in it.
            return withUnsafeTemporaryAllocation(byteCount: 25, alignment: 1) { iso in
                for index in 0..<19 { iso[index] = bytes[index] }
                for index in 19..<22 { iso[index] = bytes[index + 1] }
                iso[22] = UInt8(ascii: ":")
                iso[23] = bytes[23]
                iso[24] = bytes[24]
                return Instant(iso8601Bytes: UnsafeRawBufferPointer(iso))
            }
        }
    }
}

/// The category values of an export: `HKCategoryValueSleepAnalysisAsleepCore`.
enum AppleCategoryValue {
    private static let prefix = "HKCategoryValue"

    /// The number of a value; nil when the type has no such value.
    static func number(_ text: String?, of type: CategoryType) -> Int? {
        guard let text, text.hasPrefix(prefix) else {
            // Types whose samples all have the same value have no text in some exports.
            return text == nil && type.values.count == 1 ? type.values[0].number : nil
        }
        let typePrefix = type.name.prefix(1).uppercased() + type.name.dropFirst()
        let rest = text.dropFirst(prefix.count)
        let value = rest.hasPrefix(typePrefix) ? rest.dropFirst(typePrefix.count) : rest
        // The name before iOS 16.
        let name = value == "Asleep" ? "AsleepUnspecified" : value
        return type.values.first { $0.name.lowercased() == name.lowercased() }?.number
    }
}
