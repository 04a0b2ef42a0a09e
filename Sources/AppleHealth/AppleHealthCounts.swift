/// The numbers of elements of an export that were read, and that were left out.
package struct AppleHealthCounts: Equatable, Sendable {
    /// The maximum number of different names; further ones count as one.
    static let maximumNameCount = 512
    static let further = "other names"

    /// The records, by the name of their type.
    package private(set) var records: [String: Int] = [:]
    /// The elements that are not imported, by their type or, without a type, by their name.
    package private(set) var unknown: [String: Int] = [:]
    /// The elements whose times or values are not valid, by the name of their type.
    package private(set) var invalid: [String: Int] = [:]

    /// The number of all records.
    package var recordCount: Int { records.values.reduce(0, +) }

    mutating func addRecord(_ name: String) { Self.add(name, to: &records) }

    mutating func addUnknown(_ name: String) { Self.add(name, to: &unknown) }

    mutating func addInvalid(_ name: String, count: Int = 1) {
        if count > 0 { Self.add(name, to: &invalid, count: count) }
    }

    private static func add(_ name: String, to counts: inout [String: Int], count: Int = 1) {
        let isKnown = counts[name] != nil || counts.count < maximumNameCount
        counts[isKnown ? name : further, default: 0] += count
    }
}
