import HealthModel

/// The intervals between beats, from the devices to what they come to in each cell.
struct BeatTrack: Sendable {
    /// The live variability is that of the last five minutes, the usual short recording.
    static let recentSeconds = 300.0

    private struct Chosen: Sendable {
        let interval: RRInterval
        let device: Int
    }

    private var choice: SourceArbiter
    private(set) var tallies: [BeatTally]
    private(set) var chosen: [Int]?
    private var stream = BeatStream()
    private var recent: [Chosen] = []

    init(limitSeconds: Double, cells: Int, collects: Bool) {
        choice = SourceArbiter(limitSeconds: limitSeconds)
        tallies = Array(repeating: BeatTally(), count: cells)
        chosen = collects ? [] : nil
    }

    mutating func take(
        _ milliseconds: Double, of sample: QuantitySample, index: Int, _ timeline: WorkoutTimeline,
        _ subject: WorkoutSubject
    ) {
        if choice.isFull { add(choice.decideHalf(), timeline) }
        choice.take(milliseconds, of: sample, index: index, roles: subject.roles)
    }

    mutating func settle(until limit: Instant, known: Instant, _ timeline: WorkoutTimeline) {
        add(choice.decide(until: limit, known: known), timeline)
    }

    /// Those whose chain has not gone on for long enough are judged by what is known.
    mutating func finish(_ timeline: WorkoutTimeline) { add(stream.finish(), timeline) }

    mutating func move(from old: WorkoutTimeline, to new: WorkoutTimeline) {
        choice.end(at: new.span.upperBound)
        tallies = new.carry(tallies, from: old, empty: BeatTally())
    }

    private mutating func add(_ readings: [Reading], _ timeline: WorkoutTimeline) {
        for reading in readings {
            let interval = RRInterval(
                start: reading.start, end: reading.end, milliseconds: reading.value)
            recent.append(Chosen(interval: interval, device: reading.device))
            add(stream.take(interval, device: reading.device), timeline)
            if timeline.cell(at: reading.end) != nil { chosen?.append(reading.index) }
        }
        guard let last = recent.last, recent.count > 1_024 else { return }
        let limit = last.interval.end.later(bySeconds: -Self.recentSeconds)
        recent.removeAll { $0.interval.end <= limit }
        // More beats than a heart has are not all kept.
        if recent.count > SourceArbiter.maximumWaitingCount {
            recent.removeFirst(recent.count - SourceArbiter.maximumWaitingCount / 2)
        }
    }

    /// An interval counts where it ends, and only when no pause lies in it or before it.
    private mutating func add(_ beats: [BeatStream.Beat], _ timeline: WorkoutTimeline) {
        for beat in beats {
            guard let cell = timeline.cell(at: beat.interval.end) else { continue }
            let interval = timeline.intervals[timeline.cells[cell].interval]
            guard beat.interval.start >= interval.lowerBound else { continue }
            let isNeighborIn = beat.neighbor.map { $0.start >= interval.lowerBound } ?? false
            tallies[cell].add(square: isNeighborIn ? beat.square : nil)
        }
    }

    /// The variability of the last minutes; nil while too few beats are known.
    func recentRMSSD(at time: Instant) -> Double? {
        let from = time.later(bySeconds: -Self.recentSeconds)
        var stream = BeatStream()
        var tally = BeatTally()
        for beat in recent where beat.interval.start >= from && beat.interval.end <= time {
            for normal in stream.take(beat.interval, device: beat.device) {
                tally.add(square: normal.square)
            }
        }
        for normal in stream.finish() { tally.add(square: normal.square) }
        return tally.rmssdMilliseconds
    }
}
