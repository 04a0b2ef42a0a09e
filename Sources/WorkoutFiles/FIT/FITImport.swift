import HealthModel
import Workouts

/// Decodes a workout from the messages of a FIT activity file.
struct FITImport {
    private static let activityFile = 4
    private static let timer = 0
    private static let markers: Set<Int> = [32]
    private static let knownFields: [FITMessageKind: Set<UInt8>] = [
        .record: [253, 0, 1, 3, 4, 5, 6, 7, 8, 33, 53, 73],
        .heartRateVariability: [0],
    ]

    private var draft = ImportDraft()
    private var parts = FITParts()
    private var sportName: String?
    private var speedDistance = FITSpeedDistance()
    private var strap = FITStrap()
    /// The date at which the clock of the device was 0, and whether times count from there.
    private var clock: Int64?
    private var hasRelativeTimes = false
    private var isActivity = false
    /// Whether this file of a chain is no part of the workout: settings, or a second activity.
    private var isLeftOut = false
    /// The second of the last record, which the beats belong to.
    private var second: Int64?
    private var pauses = FITPauses()
    /// The plausible range of a beat, in milliseconds.
    private static let beats = 1.0...60_000

    static func draft(of bytes: [UInt8]) throws(WorkoutFileError) -> ImportDraft {
        var file = try read(bytes, clock: nil)
        // The date may come after times that need it.
        if file.hasRelativeTimes, let clock = file.clock { file = try read(bytes, clock: clock) }
        return try file.finish()
    }

    private static func read(
        _ bytes: [UInt8], clock: Int64?
    ) throws(WorkoutFileError) -> FITImport {
        var file = FITImport()
        var position = 0
        repeat {
            var reader = try FITReader(bytes, at: position, clock: clock)
            position = reader.fileEnd
            file.isLeftOut = false
            while let message = try reader.next() { try file.handle(message) }
        } while position < bytes.count
        return file
    }

    private mutating func handle(_ message: FITMessage) throws(WorkoutFileError) {
        guard !isLeftOut || message.kind == .fileID else { return }
        if message.kind != nil, message.isRelative { hasRelativeTimes = true }
        switch message.kind {
        case .fileID: handleFileID(message)
        case .deviceInfo: handleDevice(message)
        case .event: try handleEvent(message)
        case .record: try handleRecord(message)
        case .heartRateVariability: try handleBeats(message)
        case .storedHeartRate: try strap.add(message)
        case .timestampCorrelation: clock = clock ?? FITTime.clock(message)
        case .lap: try parts.add(lap: message)
        case .session: try parts.add(session: message)
        case .sport: sportName = message.text(3) ?? sportName
        case .activity, .fileCreator: break
        case nil: draft.skipped.unknown += 1
        }
    }

    private mutating func handleFileID(_ message: FITMessage) {
        let isActivity = message.integer(0) == Self.activityFile
        isLeftOut = !isActivity || self.isActivity
        guard !isLeftOut else {
            if isActivity { draft.skipped.activities += 1 }
            return
        }
        self.isActivity = true
        draft.device = FITDevices.device(message, name: 8, serial: 3, manufacturer: 1)
    }

    private mutating func handleDevice(_ message: FITMessage) {
        guard let device = FITDevices.device(message, name: 27, serial: 3, manufacturer: 2) else {
            return
        }
        if message.integer(0) == 0 {
            draft.device = draft.device?.merging(device) ?? device
        }
        switch FITDevices.purpose(of: message) {
        case .heart: draft.heartDevice = draft.heartDevice ?? device
        case .motion: draft.motionDevice = draft.motionDevice ?? device
        case nil: break
        }
    }

    private mutating func handleEvent(_ message: FITMessage) throws(WorkoutFileError) {
        guard let event = message.integer(0), let type = message.integer(1),
            let time = message.second.map(Instant.init(wholeSecond:))
        else { return }
        guard pauses.count + draft.markers.count < ImportDraft.maximumEventCount else {
            throw .tooMany("events")
        }
        if Self.markers.contains(event) {
            draft.markers.append(time)
        } else if event != Self.timer {
            draft.skipped.unknown += 1
        } else {
            pauses.add(timerEvent: type, at: time)
        }
    }

    private mutating func handleRecord(_ message: FITMessage) throws(WorkoutFileError) {
        draft.skipped.unknown += message.count(besides: Self.knownFields[.record] ?? [])
        if message.number(0) != nil, message.number(1) != nil { draft.skipped.positions += 1 }
        guard let second = message.second else {
            draft.skipped.values += 1
            return
        }
        self.second = second
        var point = ImportDraft.Point(time: Instant(wholeSecond: second))
        point.heartRate = message.number(3)
        point.cadence = message.number(4).map { $0 + (message.number(53) ?? 0) / 128 }
        point.distance = message.number(5).map { $0 / 100 }
        point.speed = (message.number(73) ?? message.number(6)).map { $0 / 1_000 }
        if let packed = speedDistance.add(message.raw(8)) {
            point.distance = point.distance ?? packed.distance
            point.speed = point.speed ?? packed.speed
        }
        point.power = message.number(7)
        point.energy = message.number(33)
        try draft.append(point)
    }

    private mutating func handleBeats(_ message: FITMessage) throws(WorkoutFileError) {
        guard let second else { return }
        for milliseconds in message.numbers(0).compactMap({ $0 }) where Self.beats ~= milliseconds {
            guard draft.beats.count < ImportDraft.maximumBeatCount else { throw .tooMany("beats") }
            draft.beats.append(BeatTimes.Beat(second: second, milliseconds: milliseconds))
        }
    }

    private mutating func finish() throws(WorkoutFileError) -> ImportDraft {
        guard isActivity else { throw .noWorkout }
        guard let span = parts.span(draft.points.map(\.time)) else {
            throw hasRelativeTimes ? .noDate : .noWorkout
        }
        (draft.start, draft.end) = (span.lowerBound, span.upperBound)
        (draft.activity, draft.location) = parts.activity(named: sportName)
        draft.lapMarks = parts.lapMarks
        setTotals(span)
        try strap.move(to: &draft)
        draft.movePointsToTheEnd(span.upperBound)
        draft.pauses = pauses.spans(until: span.upperBound, pausedSeconds: parts.pausedSeconds)
        draft.movePointsOutOfPauses()
        draft.scaleCadence(by: draft.activity.fileCadence?.factor ?? 1)
        return draft
    }

    private mutating func setTotals(_ span: ClosedRange<Instant>) {
        draft.distance = parts.totals(in: span) { $0.number(9).map { $0 / 100 } }
        draft.energy = parts.totals(in: span) { $0.number(11) }
        guard draft.activity.countsStrides else { return }
        draft.steps = parts.totals(in: span) { part in
            let fraction = part.number(part.kind == .lap ? 82 : 94) ?? 0
            return part.number(10).map { 2 * ($0 + fraction / 128) }
        }
    }
}
