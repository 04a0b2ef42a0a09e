import Foundation

@testable import WorkoutFiles

/// The sums and times of a file, calculated from its plain messages or elements.
struct FileSums {
    /// An amount of the whole workout.
    struct Amount {
        /// The total of the sessions or laps; nil when the file has none.
        let total: Double?
        /// The sum of the rises in the points.
        let track: Double
    }

    /// A start or end.
    struct Moment {
        /// That of the sessions or laps; nil when the file has none.
        let whole: Double?
        /// That of the points within an hour of the workout.
        let track: Double?
    }

    let distance: Amount
    let energy: Amount
    let start: Moment
    let end: Moment

    init(_ plain: OtherReading, _ imported: ImportedWorkout) {
        let lists = [plain.sessions ?? [], plain.laps ?? []]
        distance = Self.amount(lists.map { $0.map(\.distance) }, plain.distances ?? [])
        energy = Self.amount(lists.map { $0.map(\.energy) }, plain.energies ?? [])
        let parts = lists.first { !$0.isEmpty } ?? []
        let times = (plain.times ?? []).compactMap { $0 }
        start = Moment(whole: parts.compactMap(\.start).min(), track: times.min())
        if plain.sessions == nil {
            // The last lap of TCX has its active time; the last point is later where it has pauses.
            let ends = parts.last.flatMap(\.end).map { [$0] } ?? []
            end = Moment(whole: (ends + times).max(), track: times.max())
        } else {
            end = Moment(whole: parts.compactMap(\.end).max(), track: times.max())
        }
    }

    private static func amount(
        _ lists: [[Double?]], _ values: [OtherReading.Value]
    ) -> Amount {
        let totals = lists.map { $0.compactMap { $0 }.filter { $0 > 0 } }
        let total = totals.first { !$0.isEmpty }?.reduce(0, +)
        var (track, last) = (0.0, 0.0)
        if let first = values.first?.value, let total, !FileComparison.isEqual(first, total),
            first > total
        {
            last = first
        }
        for value in FileComparison.lastOfEachMoment(values.filter { $0.time != nil }).map(\.value)
        {
            track += max(0, value - last)
            last = value
        }
        return Amount(total: total, track: track)
    }
}
