import HealthModel
import Workouts

/// Calculates the times of beats from a file that has only their seconds.
///
/// The intervals give the distances between beats to the millisecond. The seconds limit when the
/// first beat was; the middle of the possible range is used. Where the range is empty, beats are
/// missing, and a new row starts.
enum BeatTimes {
    /// An R-R interval in a file.
    struct Beat {
        /// The second in which it ended, since 1970.
        let second: Int64
        let milliseconds: Double
    }

    /// How far the seconds of a row may contradict each other: some devices write beats a second
    /// early or late.
    private static let toleranceMilliseconds = 1_000.0

    private struct Row {
        var milliseconds: [Double] = []
        /// The time from the first beat of the row to the newest one.
        var length = 0.0
        /// The range of possible starts of the row, in milliseconds after its first second.
        var earliest = -Double.infinity
        var latest = Double.infinity
        /// The latest start with which the newest beat is not after the end of the workout.
        var limit = Double.infinity
        let second: Int64
    }

    /// Assigns times to beats, none of which is after the end of the workout.
    static func place(_ beats: [Beat], until end: Instant) -> [RRInterval] {
        var intervals: [RRInterval] = []
        var row: Row?
        for beat in beats {
            if let present = row, let longer = extend(present, with: beat, until: end) {
                row = longer
            } else {
                if let row { append(row, to: &intervals) }
                row = extend(Row(second: beat.second), with: beat, until: end)
            }
        }
        if let row { append(row, to: &intervals) }
        return intervals
    }

    /// Returns the row with one more beat; nil when the beat does not continue the row.
    private static func extend(_ row: Row, with beat: Beat, until end: Instant) -> Row? {
        var row = row
        row.length += beat.milliseconds
        let second = Double(beat.second - row.second) * 1_000
        row.earliest = max(row.earliest, second - row.length)
        let rest = Double(end.nanoseconds(since: Instant(wholeSecond: row.second))) / 1e6
        row.latest = min(row.latest, second + 1_000 - row.length)
        row.limit = min(row.limit, rest - row.length)
        guard row.earliest <= row.latest + toleranceMilliseconds else { return nil }
        row.milliseconds.append(beat.milliseconds)
        return row
    }

    private static func append(_ row: Row, to intervals: inout [RRInterval]) {
        let middle = min((row.earliest + row.latest) / 2, row.limit)
        var start = Instant(wholeSecond: row.second).later(bySeconds: middle / 1_000)
        // Rows must not overlap: beats are sequential.
        if let last = intervals.last { start = max(start, last.end) }
        for milliseconds in row.milliseconds {
            let end = start.later(bySeconds: milliseconds / 1_000)
            intervals.append(RRInterval(start: start, end: end, milliseconds: milliseconds))
            start = end
        }
    }
}
