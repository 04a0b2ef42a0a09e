public import Platform

/// A generator of unique receipt times for the readings of a connection.
///
/// Readings that arrive together get times one nanosecond apart.
public struct ReceiptSequence: Sendable {
    private var last: BootInstant?

    /// Makes an empty sequence.
    public init() {}

    /// Returns the receipt time of the next reading, which arrived at `receipt`.
    public mutating func next(_ receipt: BootInstant) -> BootInstant {
        let distinct = last.map { max(receipt, $0.adding(nanoseconds: 1)) } ?? receipt
        last = distinct
        return distinct
    }
}
