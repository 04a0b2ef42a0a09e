package import HealthModel

/// The state machine of a workout session, with its events.
///
/// It is a value without a clock; every call has a time. States and events are those of
/// HKWorkoutSession. A call that the state does not allow throws and changes nothing; an ended
/// session cannot be reused. Time never goes backwards: a call with a time before the last call
/// gets the time of the last call.
package struct WorkoutSession: Hashable, Sendable {
    /// The operations on a session.
    package enum Call: String, Hashable, Sendable, CaseIterable {
        case prepare, start, pause, resume, lap, segment, marker, stop, end
        /// Create the workout record.
        case save
    }

    /// The maximum size of the metadata of an event, as bytes of JSON.
    package static let maximumMetadataSize = 512
    /// The number of events reserved for gaps, which users cannot use.
    static let reservedEvents = 8

    /// The id of the session and of its workout.
    package let id: RecordID
    /// The name of the person.
    package let person: String
    /// The activity.
    package let activity: WorkoutActivity
    /// Indoor, outdoor or unknown.
    package let location: WorkoutLocation
    /// The plan; nil without one.
    package let plan: WorkoutPlan?
    /// The state.
    package internal(set) var state = WorkoutState.notStarted
    /// The start; nil before.
    package internal(set) var startedAt: Instant?
    /// The end of the effort; nil before it stopped or ended.
    package internal(set) var endedAt: Instant?
    /// The events, in the order of the calls.
    package internal(set) var events: [WorkoutEvent] = []
    /// The time of the last call; no later call gets an earlier time.
    var lastTime: Instant?

    /// Creates a session that has not started.
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

    /// Prepares the session: sensors may connect.
    package mutating func prepare(at time: Instant) throws(WorkoutSessionError) {
        try check(.prepare, in: [.notStarted])
        _ = clampedTime(time)
        state = .prepared
    }

    /// Starts the session.
    package mutating func start(at time: Instant) throws(WorkoutSessionError) {
        try check(.start, in: [.notStarted, .prepared])
        startedAt = clampedTime(time)
        state = .running
    }

    /// Pauses the session.
    package mutating func pause(at time: Instant) throws(WorkoutSessionError) {
        try check(.pause, in: [.running])
        // Reserve an event for the resume.
        try checkEventCount(for: 2)
        events.append(WorkoutEvent(.pause, at: clampedTime(time)))
        state = .paused
    }

    /// Resumes the session.
    package mutating func resume(at time: Instant) throws(WorkoutSessionError) {
        try check(.resume, in: [.paused])
        events.append(WorkoutEvent(.resume, at: clampedTime(time)))
        state = .running
    }

    /// Stops the session: the effort is over; samples may still arrive.
    package mutating func stop(at time: Instant) throws(WorkoutSessionError) {
        try check(.stop, in: [.running, .paused])
        endedAt = clampedTime(time)
        state = .stopped
    }

    /// Ends the session, from any state.
    package mutating func end(at time: Instant) throws(WorkoutSessionError) {
        try check(.end, in: [.notStarted, .prepared, .running, .paused, .stopped])
        let time = clampedTime(time)
        if startedAt != nil, endedAt == nil { endedAt = time }
        state = .ended
    }

    // MARK: Events

    /// Ends the current lap and starts the next one.
    package mutating func lap(
        at time: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        try check(.lap, in: [.running, .paused])
        try checkEventCount(for: 1, metadata)
        let start = lapMarks.last ?? startedAt ?? time
        append(.lap, from: start, to: clampedTime(time), metadata)
    }

    /// Adds a marker.
    package mutating func marker(
        at time: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        try check(.marker, in: [.running, .paused])
        try checkEventCount(for: 1, metadata)
        events.append(WorkoutEvent(.marker, at: clampedTime(time), metadata: metadata))
    }

    /// Adds a segment, clipped to the workout.
    package mutating func segment(
        from start: Instant, to end: Instant, metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        try check(.segment, in: [.running, .paused, .stopped])
        try checkEventCount(for: 1, metadata)
        addSegment(from: start, to: end, metadata)
    }

    mutating func addSegment(from start: Instant, to end: Instant, _ metadata: Metadata) {
        let first = startedAt ?? start
        let last = endedAt ?? Instant(nanosecondsSince1970: .max)
        let start = min(max(start, first), last)
        let end = min(max(end, start), last)
        append(.segment, from: start, to: end, metadata)
        // The segment is in the past, but the workout cannot end before it.
        lastTime = max(lastTime ?? end, end)
    }

    private mutating func append(
        _ kind: WorkoutEvent.Kind, from start: Instant, to end: Instant, _ metadata: Metadata
    ) {
        // This never throws: the times are in order.
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

    private func checkEventCount(
        for count: Int, _ metadata: Metadata = Metadata()
    ) throws(WorkoutSessionError) {
        guard events.count + count <= Workout.maximumEventCount - Self.reservedEvents else {
            throw .tooManyEvents
        }
        guard metadata.isEmpty || metadata.json.utf8.count <= Self.maximumMetadataSize else {
            throw .metadataTooLong
        }
    }

    /// The time of a call, never before the last one.
    private mutating func clampedTime(_ time: Instant) -> Instant {
        let reached = max(time, lastTime ?? time)
        lastTime = reached
        return reached
    }
}
