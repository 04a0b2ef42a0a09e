/// Spans of time without those that overlap or touch: a union.
///
/// A span is half open: its end does not belong to it.
struct SpanSet: Sendable, Hashable {
    /// In order of time.
    private(set) var spans: [Range<Instant>] = []

    /// Makes the union of some spans; empty ones add nothing.
    init(_ spans: some Sequence<Range<Instant>> = []) {
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) where !span.isEmpty {
            if let last = self.spans.last, span.lowerBound <= last.upperBound {
                let end = max(last.upperBound, span.upperBound)
                self.spans[self.spans.count - 1] = last.lowerBound..<end
            } else {
                self.spans.append(span)
            }
        }
    }

    /// How long all of it is, in seconds.
    var seconds: Double { spans.reduce(0) { $0 + $1.seconds } }

    /// Whether a moment lies in it.
    func contains(_ moment: Instant) -> Bool {
        let index = firstIndex(endingAfter: moment)
        return index < spans.count && spans[index].lowerBound <= moment
    }

    /// What is left of a span outside of this, in order of time.
    func parts(outsideOf span: Range<Instant>) -> [Range<Instant>] {
        var parts: [Range<Instant>] = []
        var start = span.lowerBound
        for covered in spans[firstIndex(endingAfter: start)...] {
            guard covered.lowerBound < span.upperBound else { break }
            if start < covered.lowerBound { parts.append(start..<covered.lowerBound) }
            start = max(start, covered.upperBound)
        }
        if start < span.upperBound { parts.append(start..<span.upperBound) }
        return parts
    }

    /// The union with other spans.
    func union(_ other: some Sequence<Range<Instant>>) -> SpanSet {
        SpanSet(spans + Array(other))
    }

    private func firstIndex(endingAfter moment: Instant) -> Int {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].upperBound > moment { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<Instant> {
    /// How long it is, in seconds.
    var seconds: Double { Double(upperBound.nanoseconds(since: lowerBound)) / 1e9 }
}
