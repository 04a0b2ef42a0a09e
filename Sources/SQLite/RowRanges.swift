/// Ranges of numbers that cover some numbers, and perhaps others between them.
package struct RowRanges: Sendable {
    /// The maximum number of ranges.
    package static let limit = 32

    /// In ascending order, without overlaps.
    package private(set) var ranges: [ClosedRange<Int64>] = []

    /// Covers no number.
    package init() {}

    /// Covers a number.
    package mutating func insert(_ number: Int64) { insert(number...number) }

    /// Covers a range.
    package mutating func insert(_ range: ClosedRange<Int64>) {
        // Most numbers follow the last one.
        guard let last = ranges.last, last.upperBound >= range.lowerBound else {
            ranges.append(range)
            return joinIfTooMany()
        }
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        let end = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
        var joined = range
        for other in ranges[first..<end] {
            joined =
                min(joined.lowerBound, other.lowerBound)...max(joined.upperBound, other.upperBound)
        }
        ranges.replaceSubrange(first..<end, with: [joined])
        joinIfTooMany()
    }

    /// Joins the two ranges that are closest.
    private mutating func joinIfTooMany() {
        guard ranges.count > Self.limit else { return }
        func gap(_ index: Int) -> UInt64 {
            UInt64(bitPattern: ranges[index].lowerBound &- ranges[index - 1].upperBound)
        }
        guard let index = (1..<ranges.count).min(by: { gap($0) < gap($1) }) else { return }
        ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
        ranges.remove(at: index)
    }
}
