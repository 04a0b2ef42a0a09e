import HealthModel
import Workouts

/// The amounts of a cumulative count in the points of a file: one for each rise.
///
/// A rise is of the time since the last one, so that the amounts of a count in whole units cover
/// the same time as those of a finer count in another format. A count over a pause starts at the
/// end of the pause; a count that falls starts again.
struct CountRises {
    /// How many times longer than its share of the workout the time of a rise may be.
    ///
    /// Before that the count stood still, except where points are missing.
    private static let maximumTimeFactor = 10.0

    /// The largest count: the distances of FIT end there, beyond the circumference of the Earth in metres.
    private static let maximumCount = 42_949_672.95

    private var amounts: [ImportDraft.Amount] = []
    /// The mean time of a unit, pauses excluded.
    private let secondsPerUnit: Double
    private let end: Instant
    private var pauses: ArraySlice<Range<Instant>>
    private var risen: Instant
    private var counted: Instant
    private var base: Double
    private var newest: Double

    private init(_ workout: Workout, total: Double, from first: Double) {
        secondsPerUnit = total > 0 ? workout.seconds / total : 0
        pauses = workout.pauses[...]
        (risen, counted, end) = (workout.start, workout.start, workout.end)
        (base, newest) = (first, first)
    }

    /// Whether a count is one of a workout.
    static func isPossible(_ count: Double) -> Bool { 0...maximumCount ~= count }

    /// The amounts of the counts at some moments, which are in order and possible.
    ///
    /// A count that begins above the total is that of a longer workout, of which the file has a
    /// part.
    static func amounts(
        of counts: some Sequence<(time: Instant, count: Double)>, _ totals: ImportTotals,
        in workout: Workout
    ) -> [ImportDraft.Amount] {
        let limit = totals.total.map { $0 + totals.tolerance } ?? .infinity
        let first = counts.first { _ in true }.flatMap { $0.count > limit ? $0.count : nil } ?? 0
        let highest = counts.map(\.count).max() ?? 0
        var rises = CountRises(workout, total: totals.total ?? highest - first, from: first)
        rises.amounts.reserveCapacity(counts.reduce(1) { count, _ in count + 1 })
        for (time, count) in counts { rises.add(count, at: time) }
        return rises.finished()
    }

    private mutating func add(_ count: Double, at time: Instant) {
        while let pause = pauses.first, pause.upperBound <= time {
            (risen, counted) = (max(risen, pause.upperBound), max(counted, pause.upperBound))
            pauses.removeFirst()
        }
        newest = count
        if count < base { (base, risen) = (count, max(risen, time)) }
        guard counted < time else { return }
        if count > base {
            append(to: time)
            (base, risen) = (count, time)
        }
        counted = time
    }

    private mutating func append(to time: Instant) {
        // Rounds to the decimal fractions that files use.
        let amount = ((newest - base) * 1e6).rounded() / 1e6
        let seconds = amount * secondsPerUnit * Self.maximumTimeFactor
        let earliest = min(counted, time.later(bySeconds: -seconds))
        amounts.appendSparingly(.init(span: max(risen, earliest)..<time, value: amount))
    }

    private consuming func finished() -> [ImportDraft.Amount] {
        if newest > base, counted < end { append(to: end) }
        return amounts
    }
}
