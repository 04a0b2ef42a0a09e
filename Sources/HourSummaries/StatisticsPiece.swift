package import HealthModel

/// A part of a span whose statistics come from the summaries or from samples.
package struct StatisticsPiece: Equatable, Sendable {
    /// The index of the span.
    package let index: Int
    package let span: Range<Instant>
    /// The hours, when they have summaries.
    package let hours: Range<Int64>?

    package init(index: Int, span: Range<Instant>, hours: Range<Int64>?) {
        self.index = index
        self.span = span
        self.hours = hours
    }

    /// Divides spans into hours that have summaries, and the rest, in order of time.
    ///
    /// - Parameters:
    ///   - until: The first hour without a summary.
    ///   - marks: The hours that have changed since, in order of their first hour.
    package static func pieces(
        of spans: [Range<Instant>], until: Int64, marks: [ClosedRange<Int64>]
    ) -> [StatisticsPiece] {
        var marks = marks.joined[...]
        return spans.enumerated().flatMap { index, span in
            let whole = SummaryHours.hours(in: span)
            let hours = whole.lowerBound..<max(whole.lowerBound, min(whole.upperBound, until))
            marks = marks.drop { $0.upperBound < hours.lowerBound }
            return pieces(of: span, index, hours: hours.subtracting(marks))
        }
    }

    private static func pieces(
        of span: Range<Instant>, _ index: Int, hours: [Range<Int64>]
    ) -> [StatisticsPiece] {
        var pieces: [StatisticsPiece] = []
        var start = span.lowerBound
        for hours in hours {
            let part = SummaryHours.span(of: hours)
            if start < part.lowerBound {
                pieces.append(
                    StatisticsPiece(index: index, span: start..<part.lowerBound, hours: nil))
            }
            pieces.append(StatisticsPiece(index: index, span: part, hours: hours))
            start = part.upperBound
        }
        guard start < span.upperBound || pieces.isEmpty else { return pieces }
        pieces.append(StatisticsPiece(index: index, span: start..<span.upperBound, hours: nil))
        return pieces
    }
}

extension Range<Int64> {
    /// The rest without some ranges, which are in order and apart.
    fileprivate func subtracting(_ others: ArraySlice<ClosedRange<Int64>>) -> [Range<Int64>] {
        var rest: [Range<Int64>] = []
        var start = lowerBound
        for other in others.prefix(while: { $0.lowerBound < upperBound }) {
            if start < other.lowerBound { rest.append(start..<other.lowerBound) }
            start = Swift.max(start, other.upperBound + 1)
        }
        if start < upperBound { rest.append(start..<upperBound) }
        return rest
    }
}

extension [ClosedRange<Int64>] {
    /// Ranges that are in order of their lower bound, those that overlap as one.
    fileprivate var joined: Self {
        reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound >= range.lowerBound {
                joined[joined.count - 1] =
                    last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
    }
}
