public import HealthModel

/// The result of a conversion: records, and counts of readings that became none.
public struct Conversion: Sendable {
    /// The samples and events, in order.
    public package(set) var records: [Record] = []
    /// The readings that became no record.
    public package(set) var faults = ReadingFaults()

    /// Makes an empty result.
    public init() {}

    /// Appends a later result.
    package mutating func append(_ next: Conversion) {
        records += next.records
        faults.add(next.faults)
    }

    /// The number of samples and events including those that were discarded.
    public var converted: Int { records.count + faults.total }
}
