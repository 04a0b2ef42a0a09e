/// Counts of several devices that may have counted the same, merged: at any time only the best of those
/// that counted then counts.
///
/// A worse one fills the gaps that the better ones leave, with the part that lies in them. Counts are
/// spread evenly over their time. HealthKit merges by an order of sources too, and does not publish how.
struct CountMerge: Sendable {
    private struct Count: Sendable {
        let amount: Double
        let span: Range<Instant>
        let rank: Int
        /// How much of its time has counted in the present span.
        var counted: Int64 = 0
    }

    /// The counts that have not ended by the time that has been reached.
    private var open: [Count] = []
    private var reached = Instant(nanosecondsSince1970: .min)
    /// The span that the time reached lies in, or the next one.
    private var index = 0

    /// Adds a count that does not start before the last one; the lowest rank is the best.
    mutating func add(
        _ amount: Double, of span: Range<Instant>, rank: Int, to spans: inout [SpanTally]
    ) {
        advance(to: span.lowerBound, &spans)
        open.append(Count(amount: amount, span: span, rank: rank))
    }

    /// Counts what is left.
    mutating func finish(into spans: inout [SpanTally]) {
        guard let end = open.map(\.span.upperBound).max() else { return }
        advance(to: end, &spans)
    }

    /// Nothing that comes later starts before `end`, so all that counted until then is known.
    private mutating func advance(to end: Instant, _ spans: inout [SpanTally]) {
        while reached < end, !open.isEmpty {
            let next = min(end, nextChange(spans))
            if index < spans.count, spans[index].span.contains(reached) {
                count(until: next)
            }
            reached = next
            settle(&spans)
        }
        reached = max(reached, end)
        while index < spans.count, spans[index].span.upperBound <= reached { index += 1 }
    }

    /// When the next count or span begins or ends.
    private func nextChange(_ spans: [SpanTally]) -> Instant {
        var next = Instant(nanosecondsSince1970: .max)
        for count in open { next = min(next, count.span.upperBound) }
        guard index < spans.count else { return next }
        let span = spans[index].span
        return min(next, reached < span.lowerBound ? span.lowerBound : span.upperBound)
    }

    /// Until then the best ones count.
    private mutating func count(until next: Instant) {
        guard let best = open.lazy.map(\.rank).min() else { return }
        for position in open.indices where open[position].rank == best {
            open[position].counted.addSaturating(next.nanoseconds(since: reached))
        }
    }

    /// Adds to the span what counted in it, when that or the span has ended.
    private mutating func settle(_ spans: inout [SpanTally]) {
        let spanEnds = index < spans.count && spans[index].span.upperBound <= reached
        for position in open.indices
        where open[position].counted > 0
            && (spanEnds || open[position].span.upperBound <= reached)
        {
            let count = open[position]
            spans[index].add(count.amount, part: count.counted, of: count.span.nanoseconds)
            open[position].counted = 0
        }
        open.removeAll { $0.span.upperBound <= reached }
        if spanEnds { index += 1 }
    }
}
