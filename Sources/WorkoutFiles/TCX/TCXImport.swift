import HealthModel
import Workouts

/// Decodes a workout from TCX (Garmin, "Training Center Database v2").
struct TCXImport {
    private static let maximumLapCount = ImportDraft.maximumEventCount
    private static let maximumTrackCount = 100_000

    private var draft = ImportDraft()
    private var laps: [TCXLap] = []
    private var trackCount = 0
    private var activityCount = 0
    /// The depth of the first activity in the tags; nil outside of it.
    private var activityDepth: Int?
    private var sport = ""
    private var notes: String?
    private var isBiking: Bool { sport == "Biking" }

    /// The open tags, innermost last.
    private var path: [String] = []
    private var text: String?
    private var point: PointDraft?

    /// A point whose tag is still open.
    private struct PointDraft {
        var time: Instant?
        var heartRate: Double?
        var crankCadence: Double?
        var runCadence: Double?
        var speed: Double?
        var power: Double?
        var distance: Double?
    }

    static func draft(of bytes: [UInt8]) throws(WorkoutFileError) -> ImportDraft {
        let reader = try XMLReader(bytes)
        var file = TCXImport()
        while let token = try reader.next() { try file.handle(token) }
        return try file.finish()
    }

    private mutating func handle(_ token: XMLToken) throws(WorkoutFileError) {
        switch token {
        case .start(let name, let attributes):
            if path.isEmpty { try Self.checkRoot(name) }
            path.append(name)
            text = nil
            try open(name, attributes)
        case .text(let text): self.text = text
        case .end(let name):
            let parent = path.dropLast().last ?? ""
            if isInActivity { try close(name, in: parent) }
            if activityDepth == path.count { activityDepth = nil }
            path.removeLast()
            text = nil
        }
    }

    private static func checkRoot(_ name: String) throws(WorkoutFileError) {
        switch name {
        case "TrainingCenterDatabase": return
        case "gpx": throw .noPositions
        default: throw .unknownFormat
        }
    }

    /// Whether the position is inside the first activity.
    ///
    /// Courses have laps and points too, and are ignored.
    private var isInActivity: Bool { activityCount == 1 && activityDepth != nil }

    private mutating func open(
        _ name: String, _ attributes: [String: String]
    ) throws(WorkoutFileError) {
        if name == "Activity" {
            activityCount += 1
            if activityCount == 1 {
                sport = attributes["Sport"] ?? ""
                activityDepth = path.count
            }
            if activityCount > 1 { draft.skipped.activities += 1 }
        }
        guard isInActivity else { return }
        switch (path.dropLast().last ?? "", name) {
        case ("Activity", "Lap"):
            guard laps.count < Self.maximumLapCount else { throw .tooMany("laps") }
            laps.append(TCXLap(start: attributes["StartTime"].flatMap { Instant(iso8601: $0) }))
        case ("Lap", "Track"):
            trackCount += 1
            guard !laps.isEmpty, trackCount <= Self.maximumTrackCount else {
                throw .tooMany("tracks")
            }
            laps[laps.count - 1].tracks.append(nil)
        case ("Track", "Trackpoint"): point = PointDraft()
        case ("Trackpoint", "Position"): draft.skipped.positions += 1
        default: return
        }
    }

    private mutating func close(_ name: String, in parent: String) throws(WorkoutFileError) {
        let number = number
        switch (parent, name) {
        case ("Track", "Trackpoint"): try closePoint()
        case ("Trackpoint", "Time"): setTime()
        case ("Trackpoint", "DistanceMeters"): point?.distance = number
        case ("Trackpoint", "Cadence"): point?.crankCadence = number
        case ("HeartRateBpm", "Value"): point?.heartRate = number
        case ("TPX", "Speed"): point?.speed = number
        case ("TPX", "RunCadence"): point?.runCadence = number
        case ("TPX", "Watts"): point?.power = number
        case ("Activity", "Notes"): notes = text
        case ("Creator", "Name"): draft.device = text.map { Device(name: $0) }
        case ("Lap", "TotalTimeSeconds"): setLap(\.seconds)
        case ("Lap", "Calories"): setLap(\.energy)
        case ("LX", "Steps"): setLap(\.steps)
        default:
            // An unknown element of a point, such as its altitude.
            if point != nil, text != nil, parent != "Position" { draft.skipped.unknown += 1 }
        }
    }

    private mutating func setTime() {
        let time = text.flatMap { Instant(iso8601: $0) }
        point?.time = time
    }

    private mutating func setLap(_ path: WritableKeyPath<TCXLap, Double?>) {
        guard !laps.isEmpty else { return }
        laps[laps.count - 1][keyPath: path] = number
    }

    /// The text as a number; nil when it is not a number or negative.
    private var number: Double? {
        guard let text, text.utf8.count <= 32 else { return nil }
        let trimmed = text.filter { !$0.isWhitespace }
        // Double accepts words and hexadecimal numbers too.
        guard trimmed.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else { return nil }
        return Double(trimmed).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private mutating func closePoint() throws(WorkoutFileError) {
        defer { point = nil }
        guard let point, let time = point.time, let lap = laps.indices.last,
            let track = laps[lap].tracks.indices.last
        else {
            draft.skipped.values += 1
            return
        }
        if let span = laps[lap].tracks[track] {
            laps[lap].tracks[track] = min(span.lowerBound, time)...max(span.upperBound, time)
        } else {
            laps[lap].tracks[track] = time...time
        }
        var made = ImportDraft.Point(time: time)
        made.heartRate = point.heartRate
        made.cadence = isBiking ? point.crankCadence : point.runCadence ?? point.crankCadence
        made.distance = point.distance
        made.speed = point.speed
        made.power = point.power
        try draft.append(made)
    }

    private mutating func finish() throws(WorkoutFileError) -> ImportDraft {
        guard activityCount > 0, !laps.isEmpty else { throw .noWorkout }
        draft.activity = activity
        draft.scaleCadence(by: draft.activity.fileCadence?.factor ?? 1)
        var timeline = try TCXTimeline(laps)
        draft.start = timeline.start
        draft.end = timeline.end
        draft.pauses = timeline.joinedPauses()
        draft.lapMarks = timeline.marks
        draft.energyOfLaps = timeline.amounts(\.energy)
        draft.stepsOfLaps = timeline.amounts(\.steps)
        return draft
    }

    private var activity: WorkoutActivity {
        let note = notes.flatMap { note in
            note.hasPrefix(TCXWriter.activityNote)
                ? WorkoutActivity(named: String(note.dropFirst(TCXWriter.activityNote.count)))
                : nil
        }
        switch sport {
        case "Running": return WorkoutActivity(.running)
        case "Biking": return WorkoutActivity(note?.type == .handCycling ? .handCycling : .cycling)
        default: return note ?? WorkoutActivity(.other)
        }
    }
}
