import HealthModel

/// Finds when beats were of which a file only tells the second.
///
/// The intervals tell how the beats lie to each other, to the millisecond. The seconds tell between
/// which moments the first one can have been; in the middle of what is left of them it is taken to be. Where
/// no moment fits, beats are missing, and a new row begins.
enum BeatTimes {
    /// An interval as a file has it.
    struct Beat {
        /// In which second it ended, since 1970.
        let second: Int64
        let milliseconds: Double
    }

    /// By so much the seconds of a row may contradict each other: some devices write beats a second
    /// early or late.
    private static let toleranceMilliseconds = 1_000.0

    private struct Row {
        var milliseconds: [Double] = []
        /// How long after the first beat of the row the newest one is.
        var length = 0.0
        /// The moments at which the row can begin, in milliseconds after its first second.
        var earliest = -Double.infinity
        var latest = Double.infinity
        /// After this the newest beat would be later than the workout.
        var limit = Double.infinity
        let second: Int64
    }

    /// Places beats in a workout, which none of them outlasts.
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

    /// The row with one more beat; nil when it cannot be the next.
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
        // Two rows cannot overlap: a heart has one beat after the other.
        if let last = intervals.last { start = max(start, last.end) }
        for milliseconds in row.milliseconds {
            let end = start.later(bySeconds: milliseconds / 1_000)
            intervals.append(RRInterval(start: start, end: end, milliseconds: milliseconds))
            start = end
        }
    }
}
