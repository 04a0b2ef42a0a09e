public import HealthModel

/// The result of a conversion: records, and counts of discarded samples.
public struct Conversion: Sendable {
    /// The samples and events, in order.
    public internal(set) var records: [Record] = []
    /// The number of samples out of the plausible range of their type.
    public internal(set) var implausible = 0
    /// The number of samples that the device had already sent.
    public internal(set) var duplicate = 0

    /// Makes an empty result.
    public init() {}

    /// Appends a later result.
    mutating func append(_ next: Conversion) {
        records += next.records
        implausible += next.implausible
        duplicate += next.duplicate
    }

    /// The number of samples and events including discarded ones.
    public var converted: Int { records.count + implausible + duplicate }
}
