import HealthModel
import Workouts

/// The track of a workout in files: a point for each second with a reading.
///
/// Pauses have no points.
struct WorkoutTrack {
    /// The values of a second.
    struct Point {
        /// Seconds since 1970.
        let second: Int64
        /// In count/min.
        var heartRate: Double?
        /// In count/min: steps, or revolutions of a crank.
        var cadence: Double?
        /// In m/s.
        var speed: Double?
        /// In W.
        var power: Double?
        /// The distance since the start, in metres.
        var distance: Double?
        /// The whole kilocalories since the start; the last point has the rounded total.
        var energy: Double?
        /// The R-R intervals that ended in this second, in milliseconds.
        var beats: [Double] = []
    }

    /// A span between two pauses.
    struct Interval {
        let span: Range<Instant>
        var points: [Point]
    }

    /// How long a reading is repeated until the next one, in seconds: sensors report every second,
    /// and a short delay must not look like a gap.
    private static let maximumHoldSeconds: Int64 = 3

    let intervals: [Interval]

    init(_ recorded: RecordedWorkout) {
        let spans = recorded.workout.activeSpans
        var intervals = spans.map { Interval(span: $0, points: []) }
        var distance = RunningTotal(
            of: recorded.samples, recorded.fileDistances, in: .meter, intervals: spans)
        var energy = RunningTotal(
            of: recorded.samples, [.activeEnergyBurned], in: .kilocalorie, intervals: spans)
        var seconds = Self.readings(of: recorded, in: spans)
        for end in distance.ends + energy.ends {
            guard let place = Self.place(of: end, in: spans) else { continue }
            seconds[place][end.wholeSecond, default: Point(second: end.wholeSecond)].distance = 0
        }
        var last: Int64 = .min
        for place in intervals.indices {
            let points = seconds[place].values.sorted { $0.second < $1.second }
            // A pause within one second starts and ends in a second that already has a point.
            intervals[place].points = points.filter { $0.second > last }
            Self.hold(&intervals[place].points)
            Self.count(&distance, &energy, in: &intervals[place])
            last = max(last, intervals[place].points.last?.second ?? last)
        }
        if energy.isKnown, let place = intervals.lastIndex(where: { !$0.points.isEmpty }) {
            let total = energy.value(at: recorded.workout.end)
            intervals[place].points[intervals[place].points.count - 1].energy = total.rounded()
        }
        self.intervals = intervals
    }

    /// The readings of each second of each interval, the last one of each type.
    private static func readings(
        of recorded: RecordedWorkout, in spans: [Range<Instant>]
    ) -> [[Int64: Point]] {
        var seconds = [[Int64: Point]](repeating: [:], count: spans.count)
        let fields = fields(of: recorded)
        for sample in recorded.samples.sorted(by: { $0.end < $1.end }) {
            guard let (path, unit) = fields[sample.type],
                let place = place(of: sample.end, in: spans),
                let value = try? sample.quantity.value(in: unit)
            else { continue }
            let second = sample.end.wholeSecond
            var point = seconds[place][second] ?? Point(second: second)
            if let path { point[keyPath: path] = value } else { point.beats.append(value) }
            seconds[place][second] = point
        }
        return seconds
    }

    /// The field of a point for each sample type; R-R intervals have none and go to the beats.
    private static func fields(
        of recorded: RecordedWorkout
    ) -> [QuantityType: (WritableKeyPath<Point, Double?>?, Unit)] {
        var fields: [QuantityType: (WritableKeyPath<Point, Double?>?, Unit)] = [
            .heartRate: (\.heartRate, .countPerMinute), .rrInterval: (nil, .millisecond),
        ]
        if let cadence = recorded.fileCadence?.type {
            fields[cadence] = (\.cadence, .countPerMinute)
        }
        if let speed = recorded.fileSpeed { fields[speed] = (\.speed, .meterPerSecond) }
        if let power = recorded.filePower { fields[power] = (\.power, .watt) }
        return fields
    }

    /// The index of the interval of a moment, which may be its end.
    private static func place(of moment: Instant, in spans: [Range<Instant>]) -> Int? {
        let place = spans.partitioned { $0.upperBound >= moment }
        return place < spans.count && spans[place].lowerBound <= moment ? place : nil
    }

    private static func hold(_ points: inout [Point]) {
        for path in [\Point.heartRate, \.cadence, \.speed, \.power] {
            var last: Int?
            for place in points.indices where points[place][keyPath: path] != nil {
                if let last, points[place].second - points[last].second <= maximumHoldSeconds {
                    for missing in points.indices[(last + 1)..<place] {
                        points[missing][keyPath: path] = points[last][keyPath: path]
                    }
                }
                last = place
            }
        }
    }

    /// Sets the cumulative values of each point; the last one has the total of the interval.
    private static func count(
        _ distance: inout RunningTotal, _ energy: inout RunningTotal, in interval: inout Interval
    ) {
        for place in interval.points.indices {
            let isLast = place == interval.points.count - 1
            let second = Instant(wholeSecond: interval.points[place].second)
            let moment = isLast ? interval.span.upperBound : second
            interval.points[place].distance =
                distance.isKnown ? distance.value(at: moment) : nil
            interval.points[place].energy =
                energy.isKnown ? wholes(in: energy.value(at: moment)) : nil
        }
    }

    /// The whole units of an amount, which is the sum of parts: one is reached despite their
    /// rounding.
    private static func wholes(in amount: Double) -> Double { (amount + 1e-6).rounded(.down) }
}
