package import Platform

/// Gives every reading of a connection a receipt of its own.
///
/// Readings that arrive together follow each other by a nanosecond, so that none shares a time with
/// another.
package struct ReceiptSequence: Sendable {
    private var last: BootInstant?

    /// Makes a sequence that has given no receipt yet.
    package init() {}

    /// The receipt of the next reading, which arrived at this time.
    package mutating func next(_ receipt: BootInstant) -> BootInstant {
        let distinct = last.map { max(receipt, $0.adding(nanoseconds: 1)) } ?? receipt
        last = distinct
        return distinct
    }
}
