import HealthModel
import HealthStatistics
import WorkoutScreens

/// The workouts and the heart of a person in a week.
package struct TrendWeek: Equatable {
    /// The week, or its part until now.
    let span: Range<Instant>
    /// The number of workouts that started in the week.
    var workouts = 0
    /// The active time.
    var seconds = 0.0
    /// Nil when no workout has a distance.
    var meters: Double?
    /// Nil when no workout has an energy.
    var kilocalories: Double?
    /// The time in each heart rate zone, zone 0 first; empty when it is not known.
    var zoneSeconds: [Double] = []
    /// The average resting heart rate in count/min.
    var restingHeartRate: Double?
    /// The average heart rate variability (SDNN), in milliseconds.
    var variability: Double?

    /// Whether there is nothing to show.
    package var isEmpty: Bool {
        workouts == 0 && seconds == 0 && restingHeartRate == nil && variability == nil
    }
}

/// The sums of workouts in weeks, by the rules of statistics.
///
/// A workout that spans two weeks is divided between them in proportion to time, and counts in the
/// week in which it started.
struct TrendSums {
    private let spans: [Range<Instant>]
    private var seconds: StatisticsPass
    private var meters: StatisticsPass
    private var kilocalories: StatisticsPass
    /// One for each zone.
    private var zones: [StatisticsPass] = []
    private var key: Int64 = 0

    /// Creates sums without workouts.
    ///
    /// - Parameter weeks: In the order of time, without overlaps.
    init(weeks: [Range<Instant>]) {
        spans = weeks
        seconds = Self.pass(.appleExerciseTime, weeks)
        meters = Self.pass(.distanceWalkingRunning, weeks)
        kilocalories = Self.pass(.activeEnergyBurned, weeks)
    }

    private static func pass(_ type: QuantityType, _ weeks: [Range<Instant>]) -> StatisticsPass {
        StatisticsPass(type, spans: weeks, isRanked: false, gapLimitSeconds: 0)
    }

    /// Adds a workout, which must not start before the last one.
    ///
    /// - Parameter zoneSeconds: The time in each zone; empty when it is not known.
    mutating func add(_ workout: Workout, zoneSeconds: [Double]) {
        let span = workout.start..<workout.end
        key += 1
        seconds.add(workout.seconds, over: span, key: key)
        if let distance = workout.distance { meters.add(distance.value, over: span, key: key) }
        if let energy = workout.activeEnergy {
            kilocalories.add(energy.value, over: span, key: key)
        }
        while zones.count < zoneSeconds.count {
            zones.append(Self.pass(.appleExerciseTime, spans))
        }
        for (zone, time) in zoneSeconds.enumerated() {
            zones[zone].add(time, over: span, key: key)
        }
    }

    /// The weeks, without the statistics of samples.
    var weeks: [TrendWeek] {
        let (times, distances, energies) = (
            seconds.parts(), meters.parts(), kilocalories.parts()
        )
        let zoneTimes = zones.map { $0.parts() }
        return spans.indices.map { index in
            let isZoned = zoneTimes.contains { $0[index].count > 0 }
            return TrendWeek(
                span: spans[index], workouts: times[index].started.count,
                seconds: times[index].sum, meters: Self.sum(distances[index]),
                kilocalories: Self.sum(energies[index]),
                zoneSeconds: isZoned ? zoneTimes.map { $0[index].sum } : [])
        }
    }

    private static func sum(_ part: StatisticsPart) -> Double? {
        part.count > 0 ? part.sum : nil
    }
}
