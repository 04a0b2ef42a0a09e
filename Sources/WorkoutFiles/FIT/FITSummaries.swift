import HealthModel
import Workouts

/// The last messages of a FIT file: laps and session.
struct FITSummaries {
    private static let lapEvent = 9
    private static let sessionEvent = 8
    private static let stop = 1
    private static let stopAll = 4
    private static let manual = 0
    private static let sessionEnd = 7
    private static let activityEnd = 0

    private let workout: Workout
    private let sums: WorkoutSums
    private let sport: FITSport
    private let cadence: WorkoutActivity.FileCadence?

    init(_ recorded: RecordedWorkout, _ sums: WorkoutSums) {
        workout = recorded.workout
        self.sums = sums
        cadence = recorded.fileCadence
        sport = FITSport(workout.activity, workout.location)
    }

    func append(to writer: inout FITWriter) {
        for (index, lap) in sums.laps.enumerated() {
            let isLast = index == sums.laps.count - 1
            writer.append(
                .lap,
                head(lap, index: index)
                    + [.enumeration(0, Self.lapEvent), .enumeration(1, Self.stop)]
                    + totals(of: lap, fraction: 82, work: 41)
                    + spreads(lap.measures, from: 13, lowestRate: 63)
                    + [
                        .enumeration(23, 0),
                        .enumeration(24, isLast ? Self.sessionEnd : Self.manual),
                        .enumeration(25, sport.sport), .enumeration(39, sport.subSport),
                    ])
        }
        writer.append(
            .session,
            head(sums.whole, index: 0)
                + [.enumeration(0, Self.sessionEvent), .enumeration(1, Self.stopAll)]
                + [.enumeration(5, sport.sport), .enumeration(6, sport.subSport)]
                + totals(of: sums.whole, fraction: 94, work: 48)
                + spreads(sums.whole.measures, from: 14, lowestRate: 64)
                + [
                    .uint16(25, 0), .uint16(26, Double(sums.laps.count)),
                    .enumeration(28, Self.activityEnd),
                ] + (sport.isGeneric ? [.text(110, workout.activity.name)] : []))
    }

    private func head(_ part: WorkoutSums.Part, index: Int) -> [FITField] {
        [
            .uint16(254, Double(index)), .uint32(253, FITTime.number(part.span.upperBound)),
            .uint32(2, FITTime.number(part.span.lowerBound)),
        ]
    }

    /// The totals; an odd number of steps ends with half a stride, in a field of its own.
    private func totals(
        of part: WorkoutSums.Part, fraction: UInt8, work: UInt8
    ) -> [FITField] {
        let strides = workout.activity.countsStrides ? part.steps.map { $0 / 2 } : nil
        let whole = strides?.rounded(.down)
        return [
            .uint32(7, part.elapsedMilliseconds), .uint32(8, part.activeMilliseconds),
            .uint32(9, part.centimeters), .uint32(10, whole), .uint16(11, part.kilocalories),
            .uint8(fraction, strides.map { $0 - $0.rounded(.down) }, scale: 128),
            .uint32(work, part.joules),
        ]
    }

    /// Average and maximum speed, heart rate, cadence and power, whose field numbers are consecutive.
    private func spreads(
        _ measures: WorkoutMeasures, from first: UInt8, lowestRate: UInt8
    ) -> [FITField] {
        [
            .uint16(first, measures.speed?.average, scale: 1_000),
            .uint16(first + 1, measures.speed?.maximum, scale: 1_000),
            .uint8(first + 2, measures.heartRate?.average),
            .uint8(first + 3, measures.heartRate?.maximum),
            .uint8(first + 4, turns(measures.cadence?.average)),
            .uint8(first + 5, turns(measures.cadence?.maximum)),
            .uint16(first + 6, measures.power?.average),
            .uint16(first + 7, measures.power?.maximum),
            .uint8(lowestRate, measures.heartRate?.minimum),
        ]
    }

    private func turns(_ perMinute: Double?) -> Double? {
        guard let perMinute, let cadence else { return nil }
        return perMinute / cadence.factor
    }
}
