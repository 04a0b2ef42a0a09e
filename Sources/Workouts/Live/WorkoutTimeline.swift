import HealthModel

/// The division of a workout into laps by its marks, and into intervals by its pauses.
///
/// A cell is the intersection of a lap and an interval. Samples are summed up by cell, so that
/// laps, intervals and the whole are sums of the same numbers.
struct WorkoutTimeline: Sendable, Hashable {
    struct Cell: Sendable, Hashable {
        let span: Range<Instant>
        let lap: Int
        let interval: Int
    }

    /// The whole workout; an active one has no end.
    let span: Range<Instant>
    let laps: [Range<Instant>]
    /// The spans between pauses.
    let intervals: [Range<Instant>]
    /// The cells in time order; none is empty.
    let cells: [Cell]

    init(
        start: Instant, end: Instant?, pauses: [Range<Instant>], lapMarks: [Instant]
    ) {
        span = start..<max(start, end ?? .distantFuture)
        laps = span.cut(at: lapMarks)
        intervals = span.without(pauses)
        var cells: [Cell] = []
        var lap = 0
        for (interval, whole) in intervals.enumerated() {
            while lap < laps.count - 1, laps[lap].upperBound <= whole.lowerBound { lap += 1 }
            while true {
                let part = whole.clamped(to: laps[lap])
                if !part.isEmpty { cells.append(Cell(span: part, lap: lap, interval: interval)) }
                guard lap < laps.count - 1, laps[lap].upperBound < whole.upperBound else { break }
                lap += 1
            }
        }
        self.cells = cells
    }

    /// Creates the division of a session so far; nil before its start.
    init?(_ session: WorkoutSession) {
        guard let start = session.startedAt else { return nil }
        self.init(
            start: start, end: session.endedAt, pauses: session.pauses, lapMarks: session.lapMarks)
    }

    /// Creates the division of a workout; a lap that starts apart from the last one starts a new
    /// lap too.
    init(_ workout: Workout) {
        let marks = workout.events.filter { $0.kind == .lap }.flatMap { [$0.start, $0.end] }
        self.init(
            start: workout.start, end: workout.end, pauses: workout.pauses,
            lapMarks: marks.sorted())
    }

    /// The cells that overlap a span.
    func cells(overlapping span: Range<Instant>) -> Range<Int> {
        let first = firstCell(endingAfter: span.lowerBound)
        var last = first
        while last < cells.count, cells[last].span.lowerBound < span.upperBound { last += 1 }
        return first..<last
    }

    /// The cell of an instant; nil in a pause and outside the workout.
    ///
    /// A reading at a lap mark belongs to the new lap; one at the moment of a pause or of the end
    /// still counts.
    func cell(at time: Instant) -> Int? {
        let index = firstCell(endingAfter: time)
        if index < cells.count, cells[index].span.contains(time) { return index }
        return index > 0 && cells[index - 1].span.upperBound == time ? index - 1 : nil
    }

    private func firstCell(endingAfter time: Instant) -> Int {
        cells.partitioned { $0.span.upperBound > time }
    }

    /// Converts the values of the cells of another timeline to the cells of this one: a cell that
    /// starts at the same time continues the old one.
    func carry<Tally>(_ tallies: [Tally], from old: WorkoutTimeline, empty: Tally) -> [Tally] {
        var index = 0
        return cells.map { cell in
            while index < old.cells.count, old.cells[index].span.lowerBound < cell.span.lowerBound {
                index += 1
            }
            let isSame =
                index < old.cells.count && old.cells[index].span.lowerBound == cell.span.lowerBound
            return isSame ? tallies[index] : empty
        }
    }
}
