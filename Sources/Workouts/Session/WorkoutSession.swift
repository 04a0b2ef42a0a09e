package import HealthModel

/// A workout while it lasts: what has been called, and what happened when.
///
/// It is a value without a clock; every call says when it was made. The states and the events are those of
/// HKWorkoutSession. A call that does not fit the state throws and changes nothing; a session that has
/// ended is not used again. Times never go backwards: a call that is said to be earlier than the last one
/// happened at the time of the last one.
package struct WorkoutSession: Hashable, Sendable {
    /// What can be called.
    package enum Call: String, Hashable, Sendable, CaseIterable {
        case prepare, start, pause, resume, lap, segment, marker, stop, end
        /// Make a workout of it.
        case keep

        /// The word in a message.
        var words: String {
            switch self {
            case .lap: "mark a lap of"
            case .segment: "mark a part of"
            case .marker: "mark a moment of"
            default: rawValue
            }
        }
    }

    /// The longest facts beside an event, as bytes of JSON.
    package static let maximumMetadataSize = 512
    /// So many events are kept free of what people do: for gaps that nobody foresees.
    static let reservedEvents = 8

    /// The name that the workout will have.
    package let id: RecordID
    /// The name of the person.
    package let person: String
    /// What the person does.
    package let activity: WorkoutActivity
    /// Where.
    package let location: WorkoutLocation
    /// What the person has planned; nil without a plan.
    package let plan: WorkoutPlan?
    /// How far it is.
    package internal(set) var state = WorkoutState.notStarted
    /// When it was started; nil before.
    package internal(set) var startedAt: Instant?
    /// When the effort was over; nil before it stopped or ended.
    package internal(set) var endedAt: Instant?
    /// What happened, in the order in which it was told.
    package internal(set) var events: [WorkoutEvent] = []
    /// When the last call was, so that none is earlier.
    var lastTime: Instant?

    /// A session in which nothing has happened.
    package init(
        id: RecordID, person: String, activity: WorkoutActivity,
        location: WorkoutLocation = .unknown, plan: WorkoutPlan? = nil
    ) {
        self.id = id
        self.person = person
        self.activity = activity
        self.location = location
        self.plan = plan
    }

    // MARK: States

    /// The sensors are awaited.
    package mutating func prepare(at time: Instant) throws(WorkoutSessionError) {
        try check(.prepare, in: [.notStarted])
        _ = reach(time)
        state = .prepared
    }

    /// It begins.
    package mutating func start(at time: Instant) throws(WorkoutSessionError) {
        try check(.start, in: [.notStarted, .prepared])
        startedAt = reach(time)
        state = .running
    }

    /// The person pauses.
    package mutating func pause(at time: Instant) throws(WorkoutSessionError) {
        try check(.pause, in: [.running])
        // There must be room to go on again.
        try checkRoom(for: 2)
        events.append(WorkoutEvent(.pause, at: reach(time)))
        state = .paused
    }

    /// The person goes on.
    package mutating func resume(at time: Instant) throws(WorkoutSessionError) {
        try check(.resume, in: [.paused])
        events.append(WorkoutEvent(.resume, at: reach(time)))
        state = .running
    }

    /// The effort is over; what still comes belongs to it.
    package mutating func stop(at time: Instant) throws(WorkoutSessionError) {
        try check(.stop, in: [.running, .paused])
        endedAt = reach(time)
        state = .stopped
    }

    /// It is over, from whatever state.
    package mutating func end(at time: Instant) throws(WorkoutSessionError) {
        try check(.end, in: [.notStarted, .prepared, .running, .paused, .stopped])
        let time = reach(time)
        if startedAt != nil, endedAt == nil { endedAt = time }
        state = .ended
    }

    // MARK: Events

    /// A lap ends here, and the next one begins.
    package mutating func lap(
        at time: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        try check(.lap, in: [.running, .paused])
        try checkRoom(for: 1, metadata)
        let start = lapMarks.last ?? startedAt ?? time
        append(.lap, from: start, to: reach(time), metadata)
    }

    /// The person marks a moment.
    package mutating func marker(
        at time: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        try check(.marker, in: [.running, .paused])
        try checkRoom(for: 1, metadata)
        events.append(WorkoutEvent(.marker, at: reach(time), metadata: metadata))
    }

    /// A part of the workout was something of its own; what of it lies outside is cut off.
    package mutating func segment(
        from start: Instant, to end: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        try check(.segment, in: [.running, .paused, .stopped])
        try checkRoom(for: 1, metadata)
        addSegment(from: start, to: end, metadata)
    }

    mutating func addSegment(from start: Instant, to end: Instant, _ metadata: Metadata) {
        let first = startedAt ?? start
        let last = endedAt ?? Instant(nanosecondsSince1970: .max)
        let start = min(max(start, first), last)
        let end = min(max(end, start), last)
        append(.segment, from: start, to: end, metadata)
        // It lies in the past, but the workout cannot end before it.
        lastTime = max(lastTime ?? end, end)
    }

    private mutating func append(
        _ kind: WorkoutEvent.Kind, from start: Instant, to end: Instant, _ metadata: Metadata
    ) {
        // It is in order: the start is an earlier call, or was put into order.
        guard let event = try? WorkoutEvent(kind, from: start, to: end, metadata: metadata) else {
            return
        }
        events.append(event)
    }

    // MARK: Rules

    private func check(
        _ call: Call, in states: Set<WorkoutState>
    ) throws(WorkoutSessionError) {
        guard states.contains(state) else { throw .notAllowed(call, state) }
    }

    private func checkRoom(
        for count: Int, _ metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        guard events.count + count <= Workout.maximumEventCount - Self.reservedEvents else {
            throw .tooManyEvents
        }
        guard metadata.isEmpty || metadata.json.utf8.count <= Self.maximumMetadataSize else {
            throw .metadataTooLong
        }
    }

    /// The time of a call, which is not before the last one.
    private mutating func reach(_ time: Instant) -> Instant {
        let reached = max(time, lastTime ?? time)
        lastTime = reached
        return reached
    }
}
