/// A workout: an activity of a person with its start, end, events and totals.
///
/// The rules are those of HealthKit's HKWorkout.
public struct Workout: Hashable, Sendable {
    /// The maximum number of events: this many laps fit into a line with all other fields.
    public static let maximumEventCount = 512

    /// The permanent id of this workout.
    public let id: RecordID
    /// The activity.
    public let activity: WorkoutActivity
    /// The location: indoor, outdoor or unknown.
    public let location: WorkoutLocation
    /// The start of the workout.
    public let start: Instant
    /// The end of the workout.
    public let end: Instant
    /// The events, sorted by time.
    public let events: [WorkoutEvent]
    /// The totals of its samples, one for each type, sorted by the name of the type.
    public let totals: [WorkoutTotal]
    /// The name of the person; nil when it is unknown.
    public let person: String?
    /// The device that recorded it.
    public let device: Device?
    /// The software that produced the workout.
    public let source: SourceRevision?
    /// Additional facts.
    public let metadata: Metadata

    /// Makes a workout from events in any order.
    /// - Throws: when the end is before the start, an event is outside of the workout, the first
    /// event is
    ///   a resume, a total has a duplicate, the person's name is not valid, or there are too many
    /// events
    ///   or too much data.
    public init(
        id: RecordID, activity: WorkoutActivity, location: WorkoutLocation = .unknown,
        start: Instant, end: Instant, events: [WorkoutEvent] = [], totals: [WorkoutTotal] = [],
        person: String? = nil, device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws(WorkoutError) {
        guard start <= end else { throw .endBeforeStart }
        guard events.count <= Self.maximumEventCount else { throw .tooManyEvents }
        for event in events where event.start < start || event.end > end {
            throw .eventOutside(event.kind)
        }
        if let person, !Person.isValidName(person) { throw .person }
        // A stable sort: events at the same time stay in the given order.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        self.events = order.map { events[$0] }
        // A workout is not paused at its start.
        if let first = self.events.first, first.kind == .resume || first.kind == .motionResumed {
            throw .resumedFirst
        }
        self.totals = totals.sorted { $0.type.name < $1.type.name }
        for (total, next) in zip(self.totals, self.totals.dropFirst())
        where total.type == next.type { throw .duplicateTotal(total.type.name) }
        self.id = id
        self.activity = activity
        self.location = location
        self.start = start
        self.end = end
        self.person = person
        self.device = device
        self.source = source
        self.metadata = metadata
        // Each event may have as much metadata as a whole sample.
        guard RecordEncoder.length(of: self) <= RecordDecoder.maximumLineLength else {
            throw .tooLong
        }
    }

    /// The duration without the pauses, in seconds.
    public var seconds: Double {
        let whole = Double(end.nanoseconds(since: start))
        let paused = pauses.reduce(0.0) {
            $0 + Double($1.upperBound.nanoseconds(since: $1.lowerBound))
        }
        return (whole - paused) / 1e9
    }

    /// The pauses, manual or because of no motion; overlapping pauses are merged.
    ///
    /// A pause without a resume lasts until the end of the workout.
    public var pauses: [Range<Instant>] {
        var pauses: [Range<Instant>] = []
        var open: Set<WorkoutEvent.Kind> = []
        var since = start
        for event in events {
            let wasPaused = !open.isEmpty
            switch event.kind {
            case .pause, .motionPaused: open.insert(event.kind)
            case .resume: open.remove(.pause)
            case .motionResumed: open.remove(.motionPaused)
            case .lap, .segment, .marker: continue
            }
            if !wasPaused { since = event.start }
            if wasPaused, open.isEmpty { pauses.append(since..<event.start) }
        }
        if !open.isEmpty { pauses.append(since..<end) }
        return pauses.filter { !$0.isEmpty }
    }
}

/// An event in a workout.
public struct WorkoutEvent: Hashable, Sendable {
    /// The kind of the event; the numbers are HealthKit's.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// The person paused the workout.
        case pause = 1
        /// The person resumed the workout.
        case resume = 2
        /// A lap, from its start to its end.
        case lap = 3
        /// A point in time that the person marked.
        case marker = 4
        /// The device paused the workout because of no motion.
        case motionPaused = 5
        /// The device resumed the workout because of motion.
        case motionResumed = 6
        /// A part of the workout, from its start to its end.
        case segment = 7

        /// The name in JSON and in commands.
        public var name: String { String(describing: self) }

        /// Whether the event has a duration; all others are instants.
        public var hasDuration: Bool { self == .lap || self == .segment }
    }

    /// The kind of the event.
    public let kind: Kind
    /// The start of the event.
    public let start: Instant
    /// The end of the event; equal to `start` except for laps and segments.
    public let end: Instant
    /// Additional facts, such as the length of a lap.
    public let metadata: Metadata

    /// Makes an event.
    /// - Throws: when the end is before the start, or the event has a duration and is neither a lap
    /// nor a
    ///   segment.
    public init(
        _ kind: Kind, from start: Instant, to end: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutError) {
        guard start <= end else { throw .endBeforeStart }
        guard start == end || kind.hasDuration else { throw .durationNotAllowed(kind) }
        self.kind = kind
        self.start = start
        self.end = end
        self.metadata = metadata
    }

    /// Makes an event without a duration.
    public init(_ kind: Kind, at time: Instant, metadata: Metadata = Metadata()) {
        self.kind = kind
        start = time
        end = time
        self.metadata = metadata
    }
}

/// An error of invalid values for a workout or one of its events.
public enum WorkoutError: Error, Equatable, CustomStringConvertible {
    /// The end is earlier than the start.
    case endBeforeStart
    /// There are too many events.
    case tooManyEvents
    /// The workout is too long for a line.
    case tooLong
    /// An event is outside of the workout.
    case eventOutside(WorkoutEvent.Kind)
    /// An event has a duration that its kind does not allow.
    case durationNotAllowed(WorkoutEvent.Kind)
    /// The first event is a resume.
    case resumedFirst
    /// The person's name is not valid.
    case person
    /// A total does not match the type of this name.
    case total(String)
    /// There is more than one total of the type of this name.
    case duplicateTotal(String)

    /// The message.
    public var description: String {
        switch self {
        case .total(let type): "the workout total of \(type) does not match its type"
        case .duplicateTotal(let type): "duplicate workout total of \(type)"
        case .endBeforeStart: "a workout or one of its events ends before it starts"
        case .tooManyEvents: "a workout must have at most \(Workout.maximumEventCount) events"
        case .tooLong:
            "a workout must be at most \(RecordDecoder.maximumLineLength) bytes as JSON"
        case .eventOutside(let kind): "the event \(kind) is outside of its workout"
        case .durationNotAllowed(let kind):
            "the event \(kind) cannot have a duration; only lap and segment can"
        case .resumedFirst: "the first event of a workout cannot be resume or motionResumed"
        case .person: PersonError.name.description
        }
    }
}
