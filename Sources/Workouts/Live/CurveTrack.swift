package import HealthModel
import HealthStatistics

/// All readings of one type, from the devices to what they come to in each cell.
struct CurveTrack: Sendable {
    let type: QuantityType
    private(set) var choice: SourceArbiter
    private(set) var tallies: [CurveTally]
    /// Of the heart rate only.
    private(set) var hearts: [HeartTally]
    /// The places of the samples that count, where they are asked for.
    private(set) var chosen: [Int]?
    private(set) var backups = BackupSpans()
    private var last: (end: Instant, value: Double)?

    init(_ type: QuantityType, limitSeconds: Double, cells: Int, collects: Bool) {
        self.type = type
        choice = SourceArbiter(limitSeconds: limitSeconds)
        tallies = Array(repeating: CurveTally(), count: cells)
        hearts = Array(repeating: HeartTally(), count: type == .heartRate ? cells : 0)
        chosen = collects ? [] : nil
    }

    mutating func take(
        _ value: Double, of sample: QuantitySample, index: Int, _ timeline: WorkoutTimeline,
        _ subject: WorkoutSubject
    ) {
        if choice.isFull { add(choice.decideHalf(), timeline, subject) }
        choice.take(value, of: sample, index: index, roles: subject.roles)
    }

    mutating func settle(
        until limit: Instant, known: Instant, _ timeline: WorkoutTimeline, _ subject: WorkoutSubject
    ) {
        add(choice.decide(until: limit, known: known), timeline, subject)
    }

    mutating func move(from old: WorkoutTimeline, to new: WorkoutTimeline) {
        choice.end(at: new.span.upperBound)
        tallies = new.carry(tallies, from: old, empty: CurveTally())
        if type == .heartRate { hearts = new.carry(hearts, from: old, empty: HeartTally()) }
    }

    private mutating func add(
        _ readings: [Reading], _ timeline: WorkoutTimeline, _ subject: WorkoutSubject
    ) {
        for reading in readings {
            let isBackup = choice.ranking.isBackup(reading.device)
            backups.add(isBackup ? choice.ranking.name(of: reading.device) ?? "" : nil, reading)
            add(reading, timeline, subject)
        }
    }

    /// The value goes straight from one reading to the next, unless too much time lies between them.
    ///
    /// A reading of a time holds its value. What overlaps counts once.
    private mutating func add(
        _ reading: Reading, _ timeline: WorkoutTimeline, _ subject: WorkoutSubject
    ) {
        let start = last.map { max($0.end, reading.start) } ?? reading.start
        if let last, last.end < start,
            start.seconds(since: last.end) <= HeartRateCurve.workoutGapLimitSeconds
        {
            let piece = CurvePiece(span: last.end..<start, first: last.value, last: reading.value)
            add(piece, timeline, subject)
        }
        if start < reading.end {
            let piece = CurvePiece(
                span: start..<reading.end, first: reading.value, last: reading.value)
            add(piece, timeline, subject)
        }
        let moment = reading.start < reading.end ? max(start, reading.start) : reading.end
        if let cell = timeline.cell(at: moment) {
            tallies[cell].add(reading.value)
            chosen?.append(reading.index)
        } else if reading.start < reading.end,
            !timeline.cells(overlapping: reading.start..<reading.end).isEmpty
        {
            chosen?.append(reading.index)
        }
        last = (max(reading.end, last?.end ?? reading.end), reading.value)
    }

    private mutating func add(
        _ piece: CurvePiece, _ timeline: WorkoutTimeline, _ subject: WorkoutSubject
    ) {
        for index in timeline.cells(overlapping: piece.span) {
            guard let part = piece.part(in: timeline.cells[index].span) else { continue }
            tallies[index].add(part)
            if type == .heartRate { hearts[index].add(part, subject) }
        }
    }
}

extension CurvePiece {
    /// What of it lies in a span; nil when nothing does.
    func part(in span: Range<Instant>) -> CurvePiece? {
        let part = self.span.clamped(to: span)
        guard !part.isEmpty else { return nil }
        guard part != self.span, first != last else {
            return CurvePiece(span: part, first: first, last: last)
        }
        return CurvePiece(
            span: part, first: value(at: part.lowerBound), last: value(at: part.upperBound))
    }

    private func value(at time: Instant) -> Double {
        let share = time.seconds(since: span.lowerBound) / seconds
        return time == span.upperBound ? last : first + (last - first) * share
    }
}

/// A time in which a backup device counted.
package struct BackupSpan: Sendable, Hashable {
    /// The name of the device.
    package let device: String
    /// From its first reading that counted to its last one.
    package let span: Range<Instant>
}

/// The times in which a backup counted, found reading by reading.
struct BackupSpans: Sendable {
    /// More are not kept apart: the last one goes on.
    static let most = 256

    private var all: [BackupSpan] = []
    private var isOpen = false

    /// A single reading is no time in which a backup counted.
    var spans: [BackupSpan] { all.filter { !$0.span.isEmpty } }

    /// - Parameter device: The name of the backup; nil when the reading is of none.
    mutating func add(_ device: String?, _ reading: Reading) {
        guard let device else {
            isOpen = false
            return
        }
        if let last = all.last, isOpen && last.device == device || all.count == Self.most {
            let start = last.span.lowerBound
            all[all.count - 1] = BackupSpan(
                device: last.device, span: start..<max(start, reading.end))
        } else {
            if all.last?.span.isEmpty == true { all.removeLast() }
            all.append(BackupSpan(device: device, span: reading.start..<reading.end))
        }
        isOpen = true
    }
}
