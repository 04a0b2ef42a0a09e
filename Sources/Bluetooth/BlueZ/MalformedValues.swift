import DBus

/// A malformed value of an object of bluetoothd, which is not used.
///
/// It never contains the value itself.
package struct MalformedValue: Hashable, Sendable {
    /// The path of the object; empty when the message does not show it.
    let object: String
    /// The interface and the property, as far as known.
    let property: String
    /// The number of malformed values so far, this one included.
    let total: Int
}

/// Counts the malformed values of bluetoothd, and selects those to report: the first of an object.
///
/// Anybody can send a name that is not allowed, in every advertisement.
struct MalformedValues {
    /// The most objects that are reported.
    static let objectLimit = 100
    /// The most characters of a reported text.
    private static let textLimit = 200

    private var total = 0
    private var objects: Set<String> = []

    /// Counts a value; returns what to report, or nil.
    mutating func add(_ skipped: SkippedValue) -> MalformedValue? {
        total += 1
        let words = [skipped.sender] + skipped.place
        // A message of the root object names the object that it is about.
        let index = words.lastIndex { $0.hasPrefix("/org/") } ?? 0
        let object = String(words[index].prefix(Self.textLimit))
        guard objects.count < Self.objectLimit, objects.insert(object).inserted else { return nil }
        let property = words[(index + 1)...].joined(separator: ".").prefix(Self.textLimit)
        return MalformedValue(object: object, property: String(property), total: total)
    }
}
