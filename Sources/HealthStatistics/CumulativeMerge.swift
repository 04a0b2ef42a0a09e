import HealthModel

/// Merges cumulative samples of several devices that may have counted the same events: at any time
/// only the sample with the best rank counts.
///
/// Samples of a worse rank fill the gaps of better ones, with the part that lies in the gap.
/// Amounts are spread evenly over their time. HealthKit also merges by the order of sources, and
/// does not publish how.
///
/// The cost of a sample is one heap operation, however many samples overlap, because the counted
/// time is stored per rank and not per sample.
struct CumulativeMerge: Sendable {
    private struct Count: Sendable {
        let amount: Double
        let span: Range<Instant>
        let rank: Int
        /// The counted time of its rank when the count started, or when the current span did.
        var since: Int64
    }

    private struct Rank: Sendable {
        /// The number of open counts of this rank.
        var openCount = 0
        /// The counted time of this rank.
        var counted: Int64 = 0
    }

    /// The counts that have not ended at the time `reached`; the next one to end is first.
    private var open = MinHeap<Count> { $0.span.upperBound < $1.span.upperBound }
    private var ranks: [Int: Rank] = [:]
    /// The keys of `ranks`, the best first; a rank without open counts is removed once it is the
    /// best.
    private var order = MinHeap<Int>(by: <)
    private var reached = Instant(nanosecondsSince1970: .min)
    /// The index of the span that contains `reached`, or of the next one.
    private var index = 0

    private static let latest = Instant(nanosecondsSince1970: .max)

    /// Adds a count, which must not start before the last one; the lowest rank is the best.
    mutating func add(
        _ amount: Double, of span: Range<Instant>, rank: Int,
        to spans: inout [StatisticsAccumulator]
    ) {
        advance(to: span.lowerBound, &spans)
        if ranks[rank] == nil { order.insert(rank) }
        ranks[rank, default: Rank()].openCount += 1
        open.insert(Count(amount: amount, span: span, rank: rank, since: counted(of: rank)))
    }

    /// Counts the remaining time.
    mutating func finish(into spans: inout [StatisticsAccumulator]) {
        advance(to: Self.latest, &spans)
    }

    /// Counts until `end`; no later sample starts before it.
    private mutating func advance(to end: Instant, _ spans: inout [StatisticsAccumulator]) {
        while reached < end, let first = open.first {
            let next = max(reached, min(end, first.span.upperBound, nextBound(spans)))
            if index < spans.count, spans[index].span.contains(reached) {
                count(until: next)
            }
            reached = next
            settle(&spans)
        }
        reached = max(reached, end)
        while index < spans.count, spans[index].span.upperBound <= reached { index += 1 }
    }

    /// The next start or end of a span.
    private func nextBound(_ spans: [StatisticsAccumulator]) -> Instant {
        guard index < spans.count else { return Self.latest }
        let span = spans[index].span
        return reached < span.lowerBound ? span.lowerBound : span.upperBound
    }

    /// Counts the time until `next` for the best rank.
    private mutating func count(until next: Instant) {
        guard let best = bestRank() else { return }
        ranks[best]?.counted.addSaturating(next.nanoseconds(since: reached))
    }

    private mutating func bestRank() -> Int? {
        while let rank = order.first, ranks[rank]?.openCount == 0 {
            _ = order.popFirst()
            ranks[rank] = nil
        }
        return order.first
    }

    private func counted(of rank: Int) -> Int64 { ranks[rank]?.counted ?? 0 }

    /// Adds the counted amounts to the span, for counts that have ended or when the span has ended.
    private mutating func settle(_ spans: inout [StatisticsAccumulator]) {
        while let count = open.first, count.span.upperBound <= reached {
            _ = open.popFirst()
            // Outside of the spans no time counts.
            if index < spans.count {
                Self.add(count, until: counted(of: count.rank), to: &spans[index])
            }
            ranks[count.rank]?.openCount -= 1
        }
        guard index < spans.count, spans[index].span.upperBound <= reached else { return }
        let (ranks, index) = (ranks, index)
        open.updateAll { count in
            let counted = ranks[count.rank]?.counted ?? 0
            Self.add(count, until: counted, to: &spans[index])
            count.since = counted
        }
        self.index += 1
    }

    private static func add(
        _ count: Count, until counted: Int64, to span: inout StatisticsAccumulator
    ) {
        guard counted > count.since else { return }
        span.add(count.amount, part: counted - count.since, of: count.span.nanoseconds)
    }
}
