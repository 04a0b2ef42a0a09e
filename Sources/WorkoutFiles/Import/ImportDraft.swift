import HealthModel
import Platform
import Workouts

/// The content of an imported file before the workout is built.
struct ImportDraft {
    /// The values at a moment.
    struct Point {
        var time: Instant
        @CompactNumber var heartRate: Double?
        /// In count/min, in the unit of the sample type.
        @CompactNumber var cadence: Double?
        @CompactNumber var speed: Double?
        /// In W.
        @CompactNumber var power: Double?
        /// In metres since the start.
        @CompactNumber var distance: Double?
        /// In kilocalories since the start.
        @CompactNumber var energy: Double?

        init(time: Instant) { self.time = time }

        /// Takes the values of a later point of the same moment.
        mutating func take(_ later: Point) {
            heartRate = later.heartRate ?? heartRate
            cadence = later.cadence ?? cadence
            speed = later.speed ?? speed
            power = later.power ?? power
            distance = later.distance ?? distance
            energy = later.energy ?? energy
        }
    }

    /// An amount over a span.
    struct Amount: Hashable, Sendable {
        let span: Range<Instant>
        let value: Double
    }

    /// Five days with a point each second.
    static let maximumPointCount = 432_000
    /// A week at 100 beats a minute.
    static let maximumBeatCount = 1_008_000
    /// A week.
    static let maximumSeconds = 604_800.0
    /// Far more than `Workout.maximumEventCount`.
    static let maximumEventCount = 10_000

    var activity = WorkoutActivity(.other)
    var location = WorkoutLocation.unknown
    var start: Instant?
    var end: Instant?
    var pauses: [Range<Instant>] = []
    var markers: [Instant] = []
    /// The starts of all laps but the first.
    var lapMarks: [Instant] = []
    /// In metres.
    var distance = ImportTotals()
    /// In kilocalories.
    var energy = ImportTotals()
    var steps = ImportTotals()
    var beats: [BeatTimes.Beat] = []
    /// The R-R intervals whose times the file has.
    var intervals: [RRInterval] = []
    /// The program or device that wrote the file.
    var device: Device?
    var heartDevice: Device?
    var motionDevice: Device?
    var skipped = ImportedWorkout.Skipped()
    var hasLocalTimes = false
    private(set) var points: [Point] = []

    mutating func append(_ point: Point) throws(WorkoutFileError) {
        guard points.count < Self.maximumPointCount else { throw .tooMany("points") }
        points.appendSparingly(point)
    }

    /// Converts the cadence of one foot to that of both feet.
    mutating func scaleCadence(by factor: Double) {
        guard factor != 1 else { return }
        for place in points.indices {
            points[place].cadence = points[place].cadence.map { $0 * factor }
        }
    }

    /// Removes the heart rates and beats at some times.
    mutating func removeHeart(at isIncluded: (Instant) -> Bool) {
        for place in points.indices
        where points[place].heartRate != nil && isIncluded(points[place].time) {
            points[place].heartRate = nil
        }
        beats.removeAll { isIncluded(Instant(wholeSecond: $0.second)) }
    }

    /// Changes the times of the points.
    mutating func movePoints(_ time: (Instant) -> Instant) {
        for place in points.indices { points[place].time = time(points[place].time) }
    }

    /// Builds the workout and its samples.
    mutating func finish(
        person: String?, source: SourceRevision?
    ) throws(WorkoutFileError) -> ImportedWorkout {
        sortPoints()
        for path in [\ImportDraft.device, \.heartDevice, \.motionDevice] { cleanNames(path) }
        guard let start = start ?? points.first?.time,
            let end = end ?? points.last?.time, start <= end
        else { throw .noWorkout }
        guard end.seconds(since: start) <= Self.maximumSeconds else { throw .tooLong }
        (self.start, self.end) = (start, end)
        let count = points.count
        points.removeAll { $0.time < start || end < $0.time }
        skipped.values += count - points.count
        let identity = ImportIdentity(device: device, person: person, source: source)
        let workout = try makeWorkout(start..<end, identity)
        var maker = ImportSamples(self, workout: workout, identity: identity)
        let samples = maker.all()
        skipped.values += maker.skipped
        return ImportedWorkout(
            workout: workout, content: samples, skipped: skipped, hasLocalTimes: hasLocalTimes)
    }

    /// Removes control characters from the names of a device, and counts it.
    private mutating func cleanNames(_ path: WritableKeyPath<ImportDraft, Device?>) {
        guard let device = self[keyPath: path] else { return }
        let cleaned = Device(
            name: device.name?.withoutControlCharacters,
            manufacturer: device.manufacturer?.withoutControlCharacters,
            serial: device.serial?.withoutControlCharacters)
        guard cleaned != device else { return }
        self[keyPath: path] = cleaned
        skipped.values += 1
    }

    /// Sorts the points; of several points of one moment, the last value of each field is kept.
    private mutating func sortPoints() {
        let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time }
        guard !isSorted else { return }
        let order = points.indices.sorted { (points[$0].time, $0) < (points[$1].time, $1) }
        var sorted: [Point] = []
        sorted.reserveCapacity(order.count)
        for place in order {
            if sorted.last?.time == points[place].time {
                sorted[sorted.count - 1].take(points[place])
            } else {
                sorted.append(points[place])
            }
        }
        points = sorted
    }

    private func makeWorkout(
        _ span: Range<Instant>, _ identity: ImportIdentity
    ) throws(WorkoutFileError) -> Workout {
        do {
            return try Workout(
                id: identity.id(
                    "workout", span.lowerBound, span.upperBound, Double(activity.number)),
                activity: activity, location: location, start: span.lowerBound,
                end: span.upperBound, events: try events(in: span), person: identity.person,
                device: device, source: identity.source)
        } catch {
            throw .workout(error)
        }
    }

    private func events(in span: Range<Instant>) throws(WorkoutError) -> [WorkoutEvent] {
        var events: [WorkoutEvent] = []
        for pause in pauses where span.contains(pause.lowerBound) && !pause.isEmpty {
            events.append(WorkoutEvent(.pause, at: pause.lowerBound))
            if pause.upperBound < span.upperBound {
                events.append(WorkoutEvent(.resume, at: pause.upperBound))
            }
        }
        var lapStart = span.lowerBound
        for mark in lapMarks where lapStart < mark && mark <= span.upperBound {
            events.append(try WorkoutEvent(.lap, from: lapStart, to: mark))
            lapStart = mark
        }
        for marker in markers where span.contains(marker) || marker == span.upperBound {
            events.append(WorkoutEvent(.marker, at: marker))
        }
        return events
    }
}

/// The common fields of all records of a file, and ids derived from its content.
///
/// The same file always gives the same ids, so that importing it again creates no duplicates.
struct ImportIdentity: Hashable, Sendable {
    let person: String?
    let source: SourceRevision?
    private let origin: String

    init(device: Device?, person: String?, source: SourceRevision?) {
        self.person = person
        self.source = source
        let parts = [device?.manufacturer, device?.name, device?.serial, person]
        origin = parts.map { $0 ?? "" }.joined(separator: "\n")
    }

    func id(_ stream: String, _ start: Instant, _ end: Instant, _ value: Double) -> RecordID {
        let end = UInt64(bitPattern: end.nanosecondsSince1970)
        return RecordID.make(
            start: start, device: origin, stream: "file " + stream,
            key: value.bitPattern ^ (end &* 0x9E37_79B9_7F4A_7C15))
    }
}
