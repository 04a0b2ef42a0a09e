import HealthModel
import Workouts
import XML

/// Decodes a workout from TCX (Garmin, "Training Center Database v2").
struct TCXImport {
    /// The name of the root element.
    static let root = "TrainingCenterDatabase"
    private static let maximumLapCount = ImportDraft.maximumEventCount
    private static let maximumTrackCount = 100_000

    private let reader: XMLReader
    private let calendar: LocalCalendar
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

    /// Starts with the first piece of a file.
    ///
    /// - Parameter calendar: The local calendar, for times without a time zone.
    init(_ start: [UInt8], isLast: Bool, calendar: LocalCalendar) throws(WorkoutFileError) {
        self.calendar = calendar
        do {
            reader = try XMLReader(start, isLast: isLast)
        } catch {
            throw WorkoutFileError(error, of: start)
        }
        try read()
    }

    /// Decodes the next piece of the file.
    mutating func append(_ piece: [UInt8], isLast: Bool) throws(WorkoutFileError) {
        reader.append(piece, isLast: isLast)
        try read()
    }

    private mutating func read() throws(WorkoutFileError) {
        while let token = try next() { try handle(token) }
    }

    private func next() throws(WorkoutFileError) -> XMLToken? {
        do { return try reader.next() } catch { throw WorkoutFileError(error, of: []) }
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
        guard name == root else { throw .foreign(.ofXML(root: name)) }
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
            laps.append(TCXLap(start: time(attributes["StartTime"])))
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
        switch (parent, name) {
        case ("Track", "Trackpoint"): try closePoint()
        case ("Trackpoint", "Time"):
            let time = time(text)
            point?.time = time
        case ("Trackpoint", "DistanceMeters"): setPoint(\.distance)
        case ("Trackpoint", "Cadence"): setPoint(\.crankCadence)
        case ("HeartRateBpm", "Value"): setPoint(\.heartRate)
        case ("TPX", "Speed"): setPoint(\.speed)
        case ("TPX", "RunCadence"): setPoint(\.runCadence)
        case ("TPX", "Watts"): setPoint(\.power)
        case ("Activity", "Notes"): notes = text
        case ("Creator", "Name"): draft.device = text.map { Device(name: $0) }
        case ("Lap", "TotalTimeSeconds"): setLap(\.seconds)
        case ("Lap", "Calories"): setLap(\.energy)
        case ("Lap", "DistanceMeters"): setLap(\.distance)
        case ("LX", "Steps"): setLap(\.steps)
        default:
            // An unknown element of a point, such as its altitude.
            if point != nil, text != nil, parent != "Position" { draft.skipped.unknown += 1 }
        }
    }

    private mutating func time(_ text: String?) -> Instant? {
        let time = text.flatMap { TCXValue.time($0, calendar) }
        if time?.isLocal == true { draft.hasLocalTimes = true }
        return time?.instant
    }

    private mutating func setPoint(_ path: WritableKeyPath<PointDraft, Double?>) {
        let number = number()
        point?[keyPath: path] = number
    }

    private mutating func setLap(_ path: WritableKeyPath<TCXLap, Double?>) {
        guard !laps.isEmpty else { return }
        let number = number()
        laps[laps.count - 1][keyPath: path] = number
    }

    /// The number of the element that closes; nil when it is empty, and counted when its text is none.
    private mutating func number() -> Double? {
        guard let text else { return nil }
        let number = TCXValue.number(text)
        if number == nil { draft.skipped.values += 1 }
        return number
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

    /// The workout, after the last piece.
    mutating func finish() throws(WorkoutFileError) -> ImportDraft {
        guard activityCount > 0, !laps.isEmpty else { throw .noWorkout }
        draft.activity = activity
        draft.scaleCadence(by: draft.activity.fileCadence?.factor ?? 1)
        var timeline = try TCXTimeline(laps)
        draft.start = timeline.start
        draft.end = timeline.end
        draft.pauses = timeline.joinedPauses()
        draft.lapMarks = timeline.marks
        draft.distance = timeline.totals(\.distance)
        draft.energy = timeline.totals(\.energy)
        draft.steps = timeline.totals(\.steps)
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
