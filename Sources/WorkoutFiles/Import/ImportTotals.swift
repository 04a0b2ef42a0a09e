import HealthModel
import HealthStatistics
import Workouts

/// The amounts that a file has for its laps and for the whole workout.
///
/// They complete the track, which has the shape but may lack a part: pool swims without counts in
/// the points, points that were removed, energy that only the session has.
struct ImportTotals {
    /// The amounts of laps, in order and without overlap.
    private let parts: [ImportDraft.Amount]
    /// The amount of the whole workout; nil when the file has none.
    let total: Double?

    /// A smaller difference is one of rounding: the unit (1 m, 1 kcal) or 0.1 %.
    private static let tolerance = (least: 1.0, share: 0.001)
    /// How many times faster than the mean an amount may rise; what does not fit in its time
    /// stretches the track.
    private static let maximumRateFactor = 10.0

    init(parts: [ImportDraft.Amount] = [], total: Double = 0) {
        self.parts = parts
        self.total = total > 0 && total.isFinite ? total : nil
    }

    /// The difference that is one of rounding.
    var tolerance: Double { max(Self.tolerance.least, (total ?? 0) * Self.tolerance.share) }

    /// Returns the track with what it lacks of the total, over the time without counts: first over
    /// that of each lap, then over that of the whole workout.
    ///
    /// A track that has more than the total stays as it is.
    func completing(_ track: [ImportDraft.Amount], in workout: Workout) -> [ImportDraft.Amount] {
        guard let total else { return track }
        var amounts = track
        for parts in [parts, [.init(span: workout.start..<workout.end, value: total)]] {
            amounts = fill(amounts, from: parts, total, in: workout)
        }
        let sum = amounts.sum
        guard sum > 0, total - sum > tolerance else { return amounts }
        return amounts.map { .init(span: $0.span, value: $0.value * (total / sum)) }
    }

    private func fill(
        _ track: [ImportDraft.Amount], from parts: [ImportDraft.Amount], _ total: Double,
        in workout: Workout
    ) -> [ImportDraft.Amount] {
        let counted = Counted(track)
        guard total - counted.total > tolerance else { return track }
        let free = FreeTime(workout, without: track)
        let limit = total / free.activeSeconds * Self.maximumRateFactor
        let added = lacking(counted, total - counted.total, parts).flatMap {
            free.spread($0, limit: limit)
        }
        return (track + added).sorted { $0.span.lowerBound < $1.span.lowerBound }
    }

    /// What each part lacks; together not more than the whole lacks.
    private func lacking(
        _ counted: Counted, _ missing: Double, _ parts: [ImportDraft.Amount]
    ) -> [ImportDraft.Amount] {
        let lacking = parts.map { part in
            let rest = part.value - counted.amount(in: part.span)
            return ImportDraft.Amount(span: part.span, value: max(0, rest))
        }
        guard lacking.sum > 0 else { return [] }
        let share = missing / lacking.sum
        // Without a track the laps have the shape, and the whole has the sum.
        let factor = counted.total > 0 ? min(1, share) : share
        return lacking.filter { $0.value > 0 }
            .map { .init(span: $0.span, value: $0.value * factor) }
    }
}

extension [ImportDraft.Amount] {
    var sum: Double { reduce(0) { $0 + $1.value } }
}

/// The sum of a track until any moment.
private struct Counted {
    private let track: [ImportDraft.Amount]
    private var sums: [Double] = [0]
    let total: Double

    /// The amounts must be in order and must not overlap.
    init(_ track: [ImportDraft.Amount]) {
        self.track = track
        for amount in track { sums.append((sums.last ?? 0) + amount.value) }
        total = sums.last ?? 0
    }

    func amount(in span: Range<Instant>) -> Double {
        amount(until: span.upperBound) - amount(until: span.lowerBound)
    }

    private func amount(until moment: Instant) -> Double {
        let place = track.partitioned { $0.span.upperBound > moment }
        guard place < track.count, track[place].span.lowerBound < moment else {
            return sums[place]
        }
        let amount = track[place]
        let part = moment.seconds(since: amount.span.lowerBound) / amount.span.seconds
        return sums[place] + amount.value * part
    }
}

/// The active time of a workout without counts.
private struct FreeTime {
    private let spans: [Range<Instant>]
    let activeSeconds: Double

    init(_ workout: Workout, without track: [ImportDraft.Amount]) {
        var active = workout.activeSpans
        if active.isEmpty { active = [workout.start..<workout.end] }
        let counted = track.map(\.span)
        spans = active.flatMap { span in
            let first = counted.partitioned { $0.upperBound > span.lowerBound }
            return span.without(counted[first...].prefix { $0.lowerBound < span.upperBound })
        }
        activeSeconds = active.reduce(0) { $0 + $1.seconds }
    }

    /// Distributes an amount evenly over the free time of its span; nothing when that would need more
    /// than a limit per second.
    func spread(_ amount: ImportDraft.Amount, limit: Double) -> [ImportDraft.Amount] {
        let span = amount.span
        let first = spans.partitioned { $0.upperBound > span.lowerBound }
        let parts = spans[first...].prefix { $0.lowerBound < span.upperBound }
            .map { $0.clamped(to: span) }
        let seconds = parts.reduce(0) { $0 + $1.seconds }
        guard seconds > 0, amount.value / seconds <= limit else { return [] }
        return parts.map { .init(span: $0, value: amount.value * ($0.seconds / seconds)) }
    }
}
