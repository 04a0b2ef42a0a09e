package import HealthModel
import HealthStatistics

/// The readings of one discrete type from all devices, summed up by cell of the timeline.
struct CurveTrack: Sendable {
    let type: QuantityType
    private(set) var arbiter: SourceArbiter
    private(set) var tallies: [CurveTally]
    /// Zones and energy; only for the heart rate.
    private(set) var hearts: [HeartTally]
    /// The indices of the used samples, if they are collected.
    private(set) var chosen: [Int]?
    private(set) var backups = BackupSpans()
    private var last: (end: Instant, value: Double)?

    init(_ type: QuantityType, limitSeconds: Double, cells: Int, collects: Bool) {
        self.type = type
        arbiter = SourceArbiter(limitSeconds: limitSeconds)
        tallies = Array(repeating: CurveTally(), count: cells)
        hearts = Array(repeating: HeartTally(), count: type == .heartRate ? cells : 0)
        chosen = collects ? [] : nil
    }

    mutating func enqueue(
        _ value: Double, of sample: QuantitySample, index: Int, _ timeline: WorkoutTimeline,
        _ subject: WorkoutSubject
    ) {
        if arbiter.isFull { add(arbiter.decideHalf(), timeline, subject) }
        arbiter.add(value, of: sample, index: index, roles: subject.roles)
    }

    mutating func settle(
        until limit: Instant, known: Instant, _ timeline: WorkoutTimeline, _ subject: WorkoutSubject
    ) {
        add(arbiter.decide(until: limit, known: known), timeline, subject)
    }

    mutating func move(from old: WorkoutTimeline, to new: WorkoutTimeline) {
        arbiter.end(at: new.span.upperBound)
        tallies = new.carry(tallies, from: old, empty: CurveTally())
        if type == .heartRate { hearts = new.carry(hearts, from: old, empty: HeartTally()) }
    }

    private mutating func add(
        _ readings: [Reading], _ timeline: WorkoutTimeline, _ subject: WorkoutSubject
    ) {
        for reading in readings {
            let isBackup = arbiter.ranking.isBackup(reading.device)
            backups.add(isBackup ? arbiter.ranking.name(of: reading.device) ?? "" : nil, reading)
            add(reading, timeline, subject)
        }
    }

    /// Adds a reading: the value is interpolated linearly since the last reading, unless the gap is
    /// too long.
    ///
    /// A reading with a duration has a constant value. Overlapping time counts once.
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
    /// The part of the piece in a span; nil when they do not overlap.
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

/// A span in which a backup device was used.
package struct BackupSpan: Sendable, Hashable {
    /// The name of the device.
    package let device: String
    /// From the first used reading of the device to the last one.
    package let span: Range<Instant>
}

/// The spans in which a backup device was used, found reading by reading.
struct BackupSpans: Sendable {
    /// The maximum number of spans; then the last one is extended.
    static let maximumCount = 256

    private var all: [BackupSpan] = []
    private var isOpen = false

    /// The spans that are not empty.
    var spans: [BackupSpan] { all.filter { !$0.span.isEmpty } }

    /// - Parameter device: The name of the backup device; nil for a reading of a primary device.
    mutating func add(_ device: String?, _ reading: Reading) {
        guard let device else {
            isOpen = false
            return
        }
        if let last = all.last, isOpen && last.device == device || all.count == Self.maximumCount {
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
