/// What somebody did from one time to another, and what happened meanwhile.
///
/// The rules are those of HealthKit's HKWorkout.
public struct Workout: Hashable, Sendable {
    /// The most events: so many laps, each with its two times, fit a line with the rest.
    public static let maximumEventCount = 512

    /// The name of this workout for life.
    public let id: RecordID
    /// What it was.
    public let activity: WorkoutActivity
    /// Where it took place.
    public let location: WorkoutLocation
    /// When it began.
    public let start: Instant
    /// When it ended.
    public let end: Instant
    /// What happened, in the order of time.
    public let events: [WorkoutEvent]
    /// What its samples came to, one for each type, sorted by the name of the type.
    public let totals: [WorkoutTotal]
    /// The name of the person; nil when it is not known.
    public let person: String?
    /// The device that recorded it.
    public let device: Device?
    /// What produced the workout.
    public let source: SourceRevision?
    /// Further facts.
    public let metadata: Metadata

    /// Makes a workout; the events may come in any order.
    /// - Throws: when a time is not in order or an event lies outside, the first event resumes what was
    ///   never paused, there are too many or they say too much, or a number or a name is not valid.
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
        // Those of one time stay in the order in which they were told.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        self.events = order.map { events[$0] }
        // A workout starts running.
        if let first = self.events.first, first.kind == .resume || first.kind == .motionResumed {
            throw .resumedFirst
        }
        self.totals = totals.sorted { $0.type.name < $1.type.name }
        for (total, next) in zip(self.totals, self.totals.dropFirst())
        where total.type == next.type { throw .totalTwice(total.type.name) }
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

    /// How long it was without its pauses, in seconds.
    public var seconds: Double {
        let whole = Double(end.nanoseconds(since: start))
        let paused = pauses.reduce(0.0) {
            $0 + Double($1.upperBound.nanoseconds(since: $1.lowerBound))
        }
        return (whole - paused) / 1e9
    }

    /// When it was paused, by hand or because nobody moved; the two may overlap and count once.
    ///
    /// A pause that nothing ends goes on to the end.
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

/// Something that happened in a workout.
public struct WorkoutEvent: Hashable, Sendable {
    /// What happened; the numbers are HealthKit's.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// The person paused.
        case pause = 1
        /// The person went on.
        case resume = 2
        /// A lap, from its start to its end.
        case lap = 3
        /// A moment that the person marked.
        case marker = 4
        /// The device paused, because nobody moved.
        case motionPaused = 5
        /// The device went on.
        case motionResumed = 6
        /// A part of the workout, from its start to its end.
        case segment = 7

        /// The name in JSON and for users.
        public var name: String { String(describing: self) }

        /// Whether it goes on for a time; all else happens in an instant.
        public var mayLast: Bool { self == .lap || self == .segment }
    }

    /// What happened.
    public let kind: Kind
    /// When it began.
    public let start: Instant
    /// When it ended; equal to `start` for all but laps and segments.
    public let end: Instant
    /// Further facts, as the length of a lap.
    public let metadata: Metadata

    /// Makes an event.
    /// - Throws: when it ends before it starts, or lasts although it is neither lap nor segment.
    public init(
        _ kind: Kind, from start: Instant, to end: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutError) {
        guard start <= end else { throw .endBeforeStart }
        guard start == end || kind.mayLast else { throw .lasting(kind) }
        self.kind = kind
        self.start = start
        self.end = end
        self.metadata = metadata
    }

    /// Makes an event of an instant.
    public init(_ kind: Kind, at time: Instant, metadata: Metadata = Metadata()) {
        self.kind = kind
        start = time
        end = time
        self.metadata = metadata
    }
}

/// A workout or an event of it cannot be made.
public enum WorkoutError: Error, Equatable, CustomStringConvertible {
    /// The end is earlier than the start.
    case endBeforeStart
    /// There are too many events.
    case tooManyEvents
    /// All that it says does not fit a line.
    case tooLong
    /// An event is not within the workout.
    case eventOutside(WorkoutEvent.Kind)
    /// An event has a length that it cannot have.
    case lasting(WorkoutEvent.Kind)
    /// The first event resumes.
    case resumedFirst
    /// The person's name is not valid.
    case person
    /// A total is not what the type of this name has.
    case total(String)
    /// There is more than one total of the type of this name.
    case totalTwice(String)

    /// The message.
    public var description: String {
        switch self {
        case .total(let type): "a total of a workout does not fit \(type), which it is of"
        case .totalTwice(let type): "a workout has two totals of \(type)"
        case .endBeforeStart: "a workout or an event of it ends before it starts"
        case .tooManyEvents: "a workout has at most \(Workout.maximumEventCount) events"
        case .tooLong:
            "a workout with all that it says is at most \(RecordDecoder.maximumLineLength) bytes of JSON"
        case .eventOutside(let kind): "an event (\(kind)) is not within its workout"
        case .lasting(let kind): "an event (\(kind)) has no length; only laps and segments have"
        case .resumedFirst: "a workout starts running, so its first event cannot resume it"
        case .person: PersonError.name.description
        }
    }
}
