import GatewayCore
import HealthModel

/// What was counted of one type, from the devices to what it comes to in each cell.
///
/// At any time only the best of the devices that counted then counts; a worse one fills the gaps that the
/// better ones leave. A count is spread evenly over its time. What comes out does not depend on the order in
/// which the counts are told.
struct CountTrack: Sendable {
    /// What a count of a device covers.
    struct Count: Sendable {
        let span: Range<Instant>
        let amount: Double
        let device: Int
        let index: Int

        /// The amount of a part of it; all of it is exactly all.
        func amount(in nanoseconds: Int64) -> Double {
            let whole = span.upperBound.nanoseconds(since: span.lowerBound)
            return nanoseconds == whole ? amount : amount * (Double(nanoseconds) / Double(whole))
        }
    }

    /// A part of a count that counts.
    struct Part: Sendable {
        let span: Range<Instant>
        let count: Count
    }

    struct Tally: Sendable, Hashable {
        var sum = 0.0
        /// For how long something was counted.
        var nanoseconds: Int64 = 0
    }

    /// So many parts are remembered, for counts that are told late.
    private static let maximumPartCount = 1_024

    let type: QuantityType
    private(set) var tallies: [Tally]
    /// Those that count, in the order of time; none overlaps another.
    private(set) var parts: [Part] = []
    private var ranking = DeviceRanking()
    private var waiting: [Count] = []
    private let keepsAll: Bool

    init(_ type: QuantityType, cells: Int, collects: Bool) {
        self.type = type
        tallies = Array(repeating: Tally(), count: cells)
        keepsAll = collects
    }

    mutating func take(
        _ amount: Double, of sample: QuantitySample, index: Int, _ timeline: WorkoutTimeline,
        _ subject: WorkoutSubject
    ) {
        guard let device = ranking.hear(sample.device, at: sample.end, roles: subject.roles) else {
            return
        }
        let count = Count(
            span: sample.start..<sample.end, amount: amount, device: device, index: index)
        var place = waiting.count
        while place > 0, isBefore(count, waiting[place - 1]) { place -= 1 }
        waiting.insert(count, at: place)
        if waiting.count >= SourceArbiter.maximumWaitingCount {
            settle(until: waiting[waiting.count / 2].span.upperBound, timeline)
        }
    }

    private func isBefore(_ left: Count, _ right: Count) -> Bool {
        let (first, second) = (left.span, right.span)
        return (first.upperBound, first.lowerBound) < (second.upperBound, second.lowerBound)
    }

    /// Counts what had ended by then.
    mutating func settle(until limit: Instant, _ timeline: WorkoutTimeline) {
        let count = waiting.firstIndex { $0.span.upperBound > limit } ?? waiting.count
        guard count > 0 else { return }
        for position in 0..<count { add(waiting[position], timeline) }
        waiting.removeFirst(count)
        guard !keepsAll, parts.count > Self.maximumPartCount else { return }
        parts.removeFirst(parts.count - Self.maximumPartCount / 2)
    }

    mutating func move(from old: WorkoutTimeline, to new: WorkoutTimeline) {
        tallies = new.carry(tallies, from: old, empty: Tally())
    }

    private mutating func add(_ count: Count, _ timeline: WorkoutTimeline) {
        var first = parts.count
        while first > 0, parts[first - 1].span.upperBound > count.span.lowerBound { first -= 1 }
        var last = first
        while last < parts.count, parts[last].span.lowerBound < count.span.upperBound { last += 1 }
        var new: [Part] = []
        var better: [Range<Instant>] = []
        for part in parts[first..<last] {
            if ranking.isBetter(count.device, than: part.count.device) {
                new += give(part, to: count.span, timeline)
            } else {
                better.append(part.span)
                new.append(part)
            }
        }
        for span in count.span.without(better) {
            new.append(Part(span: span, count: count))
            tally(count, span, timeline, sign: 1)
        }
        parts.replaceSubrange(
            first..<last, with: new.sorted { $0.span.lowerBound < $1.span.lowerBound })
    }

    /// Takes from a part what a better count covers, and answers with what is left.
    private mutating func give(
        _ part: Part, to span: Range<Instant>, _ timeline: WorkoutTimeline
    ) -> [Part] {
        tally(part.count, part.span.clamped(to: span), timeline, sign: -1)
        return part.span.without([span]).map { Part(span: $0, count: part.count) }
    }

    private mutating func tally(
        _ count: Count, _ span: Range<Instant>, _ timeline: WorkoutTimeline, sign: Int64
    ) {
        for index in timeline.cells(overlapping: span) {
            let part = span.clamped(to: timeline.cells[index].span)
            let nanoseconds = part.upperBound.nanoseconds(since: part.lowerBound)
            let (sum, isOverflow) = tallies[index].nanoseconds.addingReportingOverflow(
                sign * nanoseconds)
            tallies[index].nanoseconds = isOverflow ? .max : max(0, sum)
            tallies[index].sum += Double(sign) * count.amount(in: nanoseconds)
            // What is left of nothing is nothing, whatever was rounded.
            if tallies[index].nanoseconds == 0 { tallies[index].sum = 0 }
        }
    }
}
