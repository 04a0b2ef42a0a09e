import HealthModel

/// Counts of several devices that may have counted the same, merged: at any time only the best of those
/// that counted then counts.
///
/// A worse one fills the gaps that the better ones leave, with the part that lies in them. Counts are
/// spread evenly over their time. HealthKit merges by an order of sources too, and does not publish how.
///
/// However many counts are open at once, one more costs no more than a look into a heap: the time that
/// counts is kept for each rank, not for each count.
struct CumulativeMerge: Sendable {
    private struct Count: Sendable {
        let amount: Double
        let span: Range<Instant>
        let rank: Int
        /// How much of its rank's time had counted when it began, or when the present span did.
        var since: Int64
    }

    private struct Rank: Sendable {
        /// How many counts of it are open.
        var openCount = 0
        /// How much time has counted for it.
        var counted: Int64 = 0
    }

    /// The counts that have not ended by the time that has been reached, the next to end first.
    private var open = MinHeap<Count> { $0.span.upperBound < $1.span.upperBound }
    private var ranks: [Int: Rank] = [:]
    /// The keys of `ranks`, the best first; one that has no open count any more goes when it is the best.
    private var order = MinHeap<Int>(by: <)
    private var reached = Instant(nanosecondsSince1970: .min)
    /// The span that the time reached lies in, or the next one.
    private var index = 0

    private static let latest = Instant(nanosecondsSince1970: .max)

    /// Adds a count that does not start before the last one; the lowest rank is the best.
    mutating func add(
        _ amount: Double, of span: Range<Instant>, rank: Int, to spans: inout [SpanTally]
    ) {
        advance(to: span.lowerBound, &spans)
        if ranks[rank] == nil { order.insert(rank) }
        ranks[rank, default: Rank()].openCount += 1
        open.insert(Count(amount: amount, span: span, rank: rank, since: counted(of: rank)))
    }

    /// Counts what is left.
    mutating func finish(into spans: inout [SpanTally]) {
        advance(to: Self.latest, &spans)
    }

    /// Nothing that comes later starts before `end`, so all that counted until then is known.
    private mutating func advance(to end: Instant, _ spans: inout [SpanTally]) {
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

    /// When the next span begins or ends.
    private func nextBound(_ spans: [SpanTally]) -> Instant {
        guard index < spans.count else { return Self.latest }
        let span = spans[index].span
        return reached < span.lowerBound ? span.lowerBound : span.upperBound
    }

    /// Until then the best ones count.
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

    /// Adds to the span what counted in it, when that or the span has ended.
    private mutating func settle(_ spans: inout [SpanTally]) {
        while let count = open.first, count.span.upperBound <= reached {
            _ = open.popFirst()
            // Beyond the spans no time counts.
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

    private static func add(_ count: Count, until counted: Int64, to span: inout SpanTally) {
        guard counted > count.since else { return }
        span.add(count.amount, part: counted - count.since, of: count.span.nanoseconds)
    }
}
