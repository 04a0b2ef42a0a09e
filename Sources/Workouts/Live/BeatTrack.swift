import HealthModel

/// The R-R intervals of all devices, summed up by cell of the timeline.
struct BeatTrack: Sendable {
    /// The time span of the live RMSSD: five minutes, the usual short recording.
    static let recentSeconds = 300.0

    private struct Chosen: Sendable {
        let interval: RRInterval
        let device: Int
    }

    private var arbiter: SourceArbiter
    private(set) var tallies: [BeatTally]
    private(set) var chosen: [Int]?
    private var stream = BeatStream()
    private var recent: [Chosen] = []

    init(limitSeconds: Double, cells: Int, collects: Bool) {
        arbiter = SourceArbiter(limitSeconds: limitSeconds)
        tallies = Array(repeating: BeatTally(), count: cells)
        chosen = collects ? [] : nil
    }

    mutating func enqueue(
        _ milliseconds: Double, of sample: QuantitySample, index: Int, _ timeline: WorkoutTimeline,
        _ subject: WorkoutSubject
    ) {
        if arbiter.isFull { add(arbiter.decideHalf(), timeline) }
        arbiter.add(milliseconds, of: sample, index: index, roles: subject.roles)
    }

    mutating func settle(until limit: Instant, known: Instant, _ timeline: WorkoutTimeline) {
        add(arbiter.decide(until: limit, known: known), timeline)
    }

    /// Classifies intervals that still wait at the beginning of a chain.
    mutating func finish(_ timeline: WorkoutTimeline) { add(stream.finish(), timeline) }

    mutating func move(from old: WorkoutTimeline, to new: WorkoutTimeline) {
        arbiter.end(at: new.span.upperBound)
        tallies = new.carry(tallies, from: old, empty: BeatTally())
    }

    private mutating func add(_ readings: [Reading], _ timeline: WorkoutTimeline) {
        for reading in readings {
            let interval = RRInterval(
                start: reading.start, end: reading.end, milliseconds: reading.value)
            recent.append(Chosen(interval: interval, device: reading.device))
            add(stream.append(interval, device: reading.device), timeline)
            if timeline.cell(at: reading.end) != nil { chosen?.append(reading.index) }
        }
        guard let last = recent.last, recent.count > 1_024 else { return }
        let limit = last.interval.end.later(bySeconds: -Self.recentSeconds)
        recent.removeAll { $0.interval.end <= limit }
        // Limits the memory for more beats than a heart has.
        if recent.count > SourceArbiter.maximumWaitingCount {
            recent.removeFirst(recent.count - SourceArbiter.maximumWaitingCount / 2)
        }
    }

    /// An interval counts in the cell where it ends, and only if no pause lies in it or directly
    /// before it.
    private mutating func add(_ beats: [BeatStream.Beat], _ timeline: WorkoutTimeline) {
        for beat in beats {
            guard let cell = timeline.cell(at: beat.interval.end) else { continue }
            let interval = timeline.intervals[timeline.cells[cell].interval]
            guard beat.interval.start >= interval.lowerBound else { continue }
            let isNeighborIn = beat.neighbor.map { $0.start >= interval.lowerBound } ?? false
            tallies[cell].add(square: isNeighborIn ? beat.square : nil)
        }
    }

    /// RMSSD of the last five minutes; nil while there are too few beats.
    func recentRMSSD(at time: Instant) -> Double? {
        let from = time.later(bySeconds: -Self.recentSeconds)
        var stream = BeatStream()
        var tally = BeatTally()
        for beat in recent where beat.interval.start >= from && beat.interval.end <= time {
            for normal in stream.append(beat.interval, device: beat.device) {
                tally.add(square: normal.square)
            }
        }
        for normal in stream.finish() { tally.add(square: normal.square) }
        return tally.rmssdMilliseconds
    }
}
