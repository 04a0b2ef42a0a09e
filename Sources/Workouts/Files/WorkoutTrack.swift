import HealthModel

/// A workout as files have it: for each second in which something was measured a point.
///
/// There is no point in a pause.
struct WorkoutTrack {
    /// What was known in a second.
    struct Point {
        /// Seconds since 1970.
        let second: Int64
        /// In count/min.
        var heartRate: Double?
        /// In count/min: steps, or revolutions of a crank.
        var cadence: Double?
        /// In m/s.
        var speed: Double?
        /// How far it was until now, in metres.
        var distance: Double?
        /// How much energy it took until now, in kilocalories.
        var energy: Double?
        /// The R-R intervals that ended in this second, in milliseconds.
        var beats: [Double] = []
    }

    /// What lies between two pauses.
    struct Interval {
        let span: Range<Instant>
        var points: [Point]
    }

    /// A reading stands until the next one if that comes within so many seconds: a sensor tells each
    /// second, and a little delay must not look as if it had been gone.
    private static let maximumHold: Int64 = 3

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
            // A pause may begin and end in one second, which has a point already.
            intervals[place].points = points.filter { $0.second > last }
            Self.hold(&intervals[place].points)
            Self.count(&distance, &energy, in: &intervals[place])
            last = max(last, intervals[place].points.last?.second ?? last)
        }
        self.intervals = intervals
    }

    /// What was read in each second of each interval, the last of each type.
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

    /// Where the readings of a type go; among the beats where there is no field.
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
        return fields
    }

    /// The interval that a moment is in; its end belongs to it.
    private static func place(of moment: Instant, in spans: [Range<Instant>]) -> Int? {
        let place = spans.partitioned { $0.upperBound >= moment }
        return place < spans.count && spans[place].lowerBound <= moment ? place : nil
    }

    private static func hold(_ points: inout [Point]) {
        for path in [\Point.heartRate, \.cadence, \.speed] {
            var last: Int?
            for place in points.indices where points[place][keyPath: path] != nil {
                if let last, points[place].second - points[last].second <= maximumHold {
                    for missing in points.indices[(last + 1)..<place] {
                        points[missing][keyPath: path] = points[last][keyPath: path]
                    }
                }
                last = place
            }
        }
    }

    /// Fills in what was counted by each point; the last one has all that the interval has.
    private static func count(
        _ distance: inout RunningTotal, _ energy: inout RunningTotal, in interval: inout Interval
    ) {
        for place in interval.points.indices {
            let isLast = place == interval.points.count - 1
            let second = Instant(wholeSecond: interval.points[place].second)
            let moment = isLast ? interval.span.upperBound : second
            interval.points[place].distance =
                distance.isKnown ? distance.value(at: moment) : nil
            interval.points[place].energy = energy.isKnown ? energy.value(at: moment) : nil
        }
    }
}
