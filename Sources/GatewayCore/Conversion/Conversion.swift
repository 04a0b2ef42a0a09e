public import HealthModel

/// What the converter made of some readings: records, and an account of what became none.
public struct Conversion: Sendable {
    /// The samples and events, in order.
    public internal(set) var records: [Record] = []
    /// How many samples were outside what their type allows.
    public internal(set) var implausible = 0
    /// How many samples the device had already sent.
    public internal(set) var duplicate = 0

    /// Makes an account of nothing.
    public init() {}

    /// Adds what came next.
    mutating func append(_ next: Conversion) {
        records += next.records
        implausible += next.implausible
        duplicate += next.duplicate
    }

    /// How many samples and events there were before any was put aside.
    public var converted: Int { records.count + implausible + duplicate }
}
