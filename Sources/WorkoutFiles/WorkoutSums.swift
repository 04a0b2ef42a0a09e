import HealthModel
import Workouts

/// The totals of laps and of the whole workout in whole units that add up, for files.
///
/// Programs that read a file add up the laps and compare. So not the lap is rounded, but the sum up
/// to its end, and the lap is the difference.
struct WorkoutSums {
    /// A lap, or the whole.
    struct Part {
        let span: Range<Instant>
        let measures: WorkoutMeasures
        /// The elapsed time, pauses included.
        var elapsedMilliseconds: Double
        /// The active time, without pauses.
        var activeMilliseconds: Double
        var centimeters: Double?
        var kilocalories: Double?
        /// The mechanical work.
        var joules: Double?
        var steps: Double?
    }

    let laps: [Part]
    let whole: Part

    init(_ recorded: RecordedWorkout) {
        let workout = recorded.workout
        let spans = Self.spans(of: recorded)
        let measures =
            recorded.laps.isEmpty ? [recorded.measures] : recorded.laps.map(\.measures)
        let elapsed = Self.parts(of: spans.map { Self.milliseconds($0) })
        let active = Self.parts(
            of: Self.activeMilliseconds(workout, in: spans), atMost: elapsed)
        let meters = Self.parts(of: measures.map(\.distanceMeters), scale: 100)
        let energy = Self.parts(of: measures.map(\.energyKilocalories))
        let work = Self.parts(of: measures.map(\.workKilojoules), scale: 1_000)
        let steps = Self.parts(of: measures.map(\.stepCount))
        laps = spans.indices.map { lap in
            Part(
                span: spans[lap], measures: measures[lap], elapsedMilliseconds: elapsed[lap] ?? 0,
                activeMilliseconds: active[lap] ?? 0, centimeters: meters[lap],
                kilocalories: energy[lap], joules: work[lap], steps: steps[lap])
        }
        whole = Part(
            span: workout.start..<workout.end, measures: recorded.measures,
            elapsedMilliseconds: Self.sum(elapsed) ?? 0, activeMilliseconds: Self.sum(active) ?? 0,
            centimeters: Self.sum(meters), kilocalories: Self.sum(energy), joules: Self.sum(work),
            steps: Self.sum(steps))
    }

    /// The laps without gaps from the start to the end, whatever the recorded laps are.
    private static func spans(of recorded: RecordedWorkout) -> [Range<Instant>] {
        let workout = recorded.workout
        var bounds = [workout.start]
        for lap in recorded.laps.dropFirst() {
            let latest = bounds.last ?? workout.start
            bounds.append(min(max(lap.span.lowerBound, latest), workout.end))
        }
        bounds.append(workout.end)
        return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    }

    private static func activeMilliseconds(
        _ workout: Workout, in spans: [Range<Instant>]
    ) -> [Double] {
        let intervals = workout.activeSpans
        return spans.map { span in
            let first = intervals.partitioned { $0.upperBound > span.lowerBound }
            let inside = intervals[first...].prefix { $0.lowerBound < span.upperBound }
            return inside.reduce(0) { $0 + milliseconds($1.clamped(to: span)) }
        }
    }

    private static func milliseconds(_ span: Range<Instant>) -> Double {
        Double(span.upperBound.nanoseconds(since: span.lowerBound)) / 1e6
    }

    /// Returns whole amounts whose sum is the rounded sum; nil for unknown amounts.
    ///
    /// - Parameter limits: The maximum of each part; the remainder goes to the next part.
    private static func parts(
        of amounts: [Double?], scale: Double = 1, atMost limits: [Double?] = []
    ) -> [Double?] {
        var (exact, written) = (0.0, 0.0)
        return amounts.enumerated().map { place, amount in
            guard let amount, amount.isFinite, amount >= 0 else { return nil }
            exact += amount * scale
            let limit = place < limits.count ? limits[place] : nil
            let part = min(exact.rounded() - written, limit ?? .infinity)
            written += part
            return part
        }
    }

    private static func sum(_ parts: [Double?]) -> Double? {
        let known = parts.compactMap { $0 }
        return known.isEmpty ? nil : known.reduce(0, +)
    }
}
