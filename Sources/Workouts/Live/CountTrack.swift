import GatewayCore
import HealthModel

/// The cumulative samples of one type from all devices, summed up by cell of the timeline.
///
/// At each time only the best device that counted then is used; worse devices fill the gaps of
/// better ones. A count is distributed evenly over its time. The result does not depend on the
/// order in which the counts arrive.
struct CountTrack: Sendable {
    /// A cumulative sample of a device.
    struct Count: Sendable {
        let span: Range<Instant>
        let amount: Double
        let device: Int
        let index: Int

        /// The amount of a part of the count; exactly the whole amount for the whole time.
        func amount(in nanoseconds: Int64) -> Double {
            let whole = span.upperBound.nanoseconds(since: span.lowerBound)
            return nanoseconds == whole ? amount : amount * (Double(nanoseconds) / Double(whole))
        }
    }

    /// A part of a count that is used.
    struct Part: Sendable {
        let span: Range<Instant>
        let count: Count
    }

    struct Tally: Sendable, Hashable {
        var sum = 0.0
        /// The time that counts cover.
        var nanoseconds: Int64 = 0
    }

    /// The number of parts kept for counts that arrive late.
    private static let maximumPartCount = 1_024

    let type: QuantityType
    private(set) var tallies: [Tally]
    /// The used parts, in time order and without overlap.
    private(set) var parts: [Part] = []
    private var ranking = DeviceRanking()
    private var waiting: [Count] = []
    private let keepsAllParts: Bool

    init(_ type: QuantityType, cells: Int, collects: Bool) {
        self.type = type
        tallies = Array(repeating: Tally(), count: cells)
        keepsAllParts = collects
    }

    mutating func enqueue(
        _ amount: Double, of sample: QuantitySample, index: Int, _ timeline: WorkoutTimeline,
        _ subject: WorkoutSubject
    ) {
        guard let device = ranking.register(sample.device, at: sample.end, roles: subject.roles)
        else {
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

    /// Sums up the waiting counts that end by a time.
    mutating func settle(until limit: Instant, _ timeline: WorkoutTimeline) {
        let count = waiting.firstIndex { $0.span.upperBound > limit } ?? waiting.count
        guard count > 0 else { return }
        for position in 0..<count { add(waiting[position], timeline) }
        waiting.removeFirst(count)
        guard !keepsAllParts, parts.count > Self.maximumPartCount else { return }
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
                new += remove(count.span, from: part, timeline)
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

    /// Removes the time of a better count from a part, and returns the remaining parts.
    private mutating func remove(
        _ span: Range<Instant>, from part: Part, _ timeline: WorkoutTimeline
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
            // Clears rounding errors when no time is left.
            if tallies[index].nanoseconds == 0 { tallies[index].sum = 0 }
        }
    }
}
