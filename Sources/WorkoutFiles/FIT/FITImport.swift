import HealthModel
import Workouts

/// Decodes a workout from the messages of a FIT activity file.
struct FITImport {
    private static let activityFile = 4
    private static let timer = 0
    private static let markers: Set<Int> = [32]
    private static let knownFields: [FITMessageKind: Set<UInt8>] = [
        .record: [253, 0, 1, 3, 4, 5, 6, 7, 33, 53, 73],
        .heartRateVariability: [0],
    ]

    private var draft = ImportDraft()
    private var sessions: [FITMessage] = []
    private var laps: [FITMessage] = []
    private var sportName: String?
    private var isActivity = false
    /// The second of the last record, which the beats belong to.
    private var second: Int64?
    private var pauses = FITPauses()
    /// The plausible range of a beat, in milliseconds.
    private static let beats = 1.0...60_000
    private static let maximumSessionCount = 100

    static func draft(of bytes: [UInt8]) throws(WorkoutFileError) -> ImportDraft {
        var reader = try FITReader(bytes)
        var file = FITImport()
        while let message = try reader.next() { try file.handle(message) }
        return try file.finish()
    }

    private mutating func handle(_ message: FITMessage) throws(WorkoutFileError) {
        switch message.kind {
        case .fileID: try handleFileID(message)
        case .deviceInfo: handleDevice(message)
        case .event: try handleEvent(message)
        case .record: try handleRecord(message)
        case .heartRateVariability: try handleBeats(message)
        case .lap: try collect(message, in: &laps, limit: ImportDraft.maximumEventCount, "laps")
        case .session:
            try collect(message, in: &sessions, limit: Self.maximumSessionCount, "sessions")
        case .sport: sportName = message.text(3) ?? sportName
        case .activity, .fileCreator: break
        case nil: draft.skipped.unknown += 1
        }
    }

    private func collect(
        _ message: FITMessage, in list: inout [FITMessage], limit: Int, _ what: String
    ) throws(WorkoutFileError) {
        guard list.count < limit else { throw .tooMany(what) }
        list.append(message)
    }

    private mutating func handleFileID(_ message: FITMessage) throws(WorkoutFileError) {
        guard message.integer(0) == Self.activityFile else { throw .noWorkout }
        isActivity = true
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
        let sports = Set(sessions.map { FITSport($0.integer(5) ?? 0, $0.integer(6) ?? 0) })
        if let sport = sports.first {
            let name = sessions.first?.text(110) ?? sportName
            (draft.activity, draft.location) =
                sports.count > 1
                ? (WorkoutActivity(.swimBikeRun), .unknown) : sport.activity(name: name)
        }
        setSpan()
        setLaps()
        setPauses()
        draft.scaleCadence(by: draft.activity.fileCadence?.factor ?? 1)
        return draft
    }

    private mutating func setSpan() {
        for session in sessions {
            guard let second = session.number(2).flatMap({ FITTime.second($0) }) else { continue }
            let start = Instant(wholeSecond: second)
            let elapsed = session.number(7).map { start.later(bySeconds: $0 / 1_000) }
            guard var end = elapsed ?? session.second.map(Instant.init(wholeSecond:)) else {
                continue
            }
            // Times in the file are whole seconds, so the last record may be slightly later.
            if let last = draft.lastTime, let written = session.second, last.wholeSecond <= written
            {
                end = max(end, last)
            }
            draft.start = min(draft.start ?? start, start)
            draft.end = max(draft.end ?? end, end, start)
        }
    }

    private mutating func setLaps() {
        for lap in laps.dropFirst() {
            guard let second = FITTime.second(lap.number(2)) else { continue }
            draft.lapMarks.append(Instant(wholeSecond: second))
        }
        draft.energyOfLaps = amounts { $0.number(11) }
        guard draft.activity.countsStrides else { return }
        draft.stepsOfLaps = amounts { part in
            let fraction = part.number(part.kind == .lap ? 82 : 94) ?? 0
            return part.number(10).map { 2 * ($0 + fraction / 128) }
        }
    }

    /// The amounts of the laps, or of the whole when they have none.
    private func amounts(_ amount: (FITMessage) -> Double?) -> [ImportDraft.Amount] {
        let parts = laps.compactMap { lap -> ImportDraft.Amount? in
            guard let value = amount(lap), value > 0,
                let start = FITTime.second(lap.number(2)).map(Instant.init(wholeSecond:)),
                let end = FITTime.second(lap.number(253)).map(Instant.init(wholeSecond:)),
                start < end
            else { return nil }
            return .init(span: start..<end, value: value)
        }
        guard parts.isEmpty, let start = draft.start, let end = draft.end, start < end else {
            return parts
        }
        let whole = sessions.reduce(0) { $0 + (amount($1) ?? 0) }
        return whole > 0 ? [.init(span: start..<end, value: whole)] : []
    }

    private mutating func setPauses() {
        let paused = sessions.compactMap { session -> Double? in
            guard let elapsed = session.number(7), let active = session.number(8) else {
                return nil
            }
            return (elapsed - active) / 1_000
        }
        draft.pauses = pauses.spans(
            until: draft.end ?? draft.lastTime,
            pausedSeconds: paused.isEmpty ? nil : paused.reduce(0, +))
        draft.movePointsBehindPauses()
    }
}

extension ImportDraft {
    /// The time of the latest point.
    var lastTime: Instant? { points.lazy.map(\.time).max() }
}
