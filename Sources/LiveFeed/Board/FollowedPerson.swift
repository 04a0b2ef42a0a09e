import GatewayCore
import HealthModel
import JSON
import Workouts

/// A person of the feed: the state that follows from the records, and what watchers have of it.
struct FollowedPerson: Sendable {
    /// What watchers see of a person at a moment.
    struct Shown: Equatable, Sendable {
        var heart = LiveHeart(.waiting)
        var values: [LiveValue] = []
        var workout: LiveWorkout?
    }

    /// How soon watchers must learn of a change.
    enum Change {
        case none, minor, urgent
    }

    /// The JSON object for an audience.
    struct Encoded: Equatable, Sendable {
        let bytes: [UInt8]
        /// Whether it has no more than the name, which then nobody but the owner learns; without a
        /// name it has nothing.
        let isEmpty: Bool
    }

    /// The name; nil for the records that belong to no person.
    let name: String?
    var isOnWall = false
    var subject = WorkoutSubject()
    var live: LivePerson
    var workout: LiveWorkout?
    /// Whether a minor change waits to be sent.
    var isPending = false
    /// What watchers were sent.
    private(set) var shown = Shown()
    /// The objects of ``shown``, and of the state before, by number of the audience.
    private var encoded: [Int: Encoded] = [:]
    private var previous: [Int: Encoded] = [:]
    /// The lines from the state before to ``shown``; an empty one is not sent.
    private var lines: [Int: [UInt8]] = [:]

    init(name: String?, live: LivePerson = LivePerson()) {
        self.name = name
        self.live = live
    }

    /// The state at a time.
    func state(at now: Instant) -> Shown {
        Shown(
            heart: live.heart(at: now, of: subject), values: live.values(at: now),
            workout: workout)
    }

    /// What a state changes for watchers.
    func change(to new: Shown) -> Change {
        if new == shown { return .none }
        let isUrgent =
            new.heart.state != shown.heart.state
            || Self.moment(of: new.workout) != Self.moment(of: shown.workout)
        return isUrgent ? .urgent : .minor
    }

    /// What a person changes in a workout; the rest are its figures.
    private static func moment(of workout: LiveWorkout?) -> [String]? {
        workout.map { workout in
            [
                "\(workout.id)", workout.state.name, "\(workout.lapNumber)",
                "\(workout.step?.number ?? 0)", "\(workout.isSaved)",
            ]
        }
    }

    /// Notes that watchers are sent a state.
    mutating func show(_ new: Shown) {
        isPending = false
        guard new != shown else { return }
        shown = new
        previous = encoded
        encoded = [:]
        lines = [:]
    }

    /// The line for the watchers of an audience, who were sent the state before; nil when nothing has
    /// changed for them.
    mutating func line(for audience: LiveAudience) -> [UInt8]? {
        if let line = lines[audience.number] { return line.isEmpty ? nil : line }
        let new = object(for: audience)
        let old = previous[audience.number]
        let isNew = new != old && !(new.isEmpty && old?.isEmpty ?? true)
        let line =
            isNew ? Array(#"{"person":"#.utf8) + new.bytes + Array("}\n".utf8) : []
        lines[audience.number] = line
        return isNew ? line : nil
    }

    /// The object for an audience, encoded once for all of its watchers.
    mutating func object(for audience: LiveAudience) -> Encoded {
        if let known = encoded[audience.number] { return known }
        let new = encode(for: audience)
        encoded[audience.number] = new
        return new
    }

    /// The person without encoded objects, after a change of what is in all of them.
    var withoutLines: FollowedPerson {
        var person = self
        (person.encoded, person.previous, person.lines) = ([:], [:], [:])
        return person
    }

    private func encode(for audience: LiveAudience) -> Encoded {
        let (heart, values, workout) = audience.visible(of: shown)
        var json = JSONWriter()
        json.object { json in
            json.field("name", name)
            json.field("wall", isOnWall)
            if let heart { json.object("heart") { heart.write(to: &$0) } }
            json.objects("values", values) { $0.write(to: &$1) }
            if let workout { json.object("workout") { WorkoutWire.write(workout, to: &$0) } }
        }
        let hasHeart = heart.map { $0.state != .waiting } ?? false
        let isHideable = audience.decisions != nil || name == nil
        let isEmpty = isHideable && !hasHeart && values.isEmpty && workout == nil
        return Encoded(bytes: json.bytes, isEmpty: isEmpty)
    }
}
