import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Workouts

/// The people of the feed in the order of the gateway; last, what belongs to no person.
///
/// It is a value without a clock.
struct FollowBoard: Sendable {
    /// The maximum number of people with records whom the feed does not know yet.
    private static let maximumUnknownCount = 64

    /// Whether a person may be on the wall who has not decided about it.
    let showsUndecided: Bool
    private(set) var people: [FollowedPerson] = []
    private var indices: [String?: Int] = [:]
    /// The states of people who were added a moment ago: their records can be here first.
    private var unknown: [String: LivePerson] = [:]

    init(showsUndecided: Bool = false) {
        self.showsUndecided = showsUndecided
    }

    /// Adds records.
    ///
    /// - Returns: The indices of the people whose records they are.
    mutating func add(_ records: [Record], at now: Instant) -> Set<Int> {
        var touched: Set<Int> = []
        var rest = records[...]
        while !rest.isEmpty {
            let run = LivePerson.run(of: rest, at: now)
            rest = rest[run.endIndex...]
            guard let record = run.last, record.isSampleOrEvent else { continue }
            guard let index = index(of: record.person) else {
                record.person.map { add(record, ofUnknown: $0, at: now) }
                continue
            }
            people[index].live.add(record, at: now, roles: people[index].subject.roles)
            touched.insert(index)
        }
        return touched
    }

    private mutating func index(of name: String?) -> Int? {
        if let index = indices[name] { return index }
        guard name == nil else { return nil }
        people.append(FollowedPerson(name: nil))
        indices[nil] = people.count - 1
        return people.count - 1
    }

    private mutating func add(_ record: Record, ofUnknown name: String, at now: Instant) {
        guard unknown[name] != nil || unknown.count < Self.maximumUnknownCount else { return }
        unknown[name, default: LivePerson()].add(record, at: now)
    }

    /// Sets the people and the facts about them; the state of those who stay is kept.
    ///
    /// - Returns: Whether the list has changed, and not only facts.
    mutating func set(_ subjects: [GatewayService.LiveSubject]) -> Bool {
        let old = people.filter { $0.name != nil }
        var new = subjects.map { subject in
            let name = subject.person.name
            let known = indices[name].map { people[$0] }
            var person =
                known ?? FollowedPerson(name: name, live: unknown[name] ?? LivePerson())
            person.isOnWall = subject.person.wall ?? showsUndecided
            person.subject = subject.subject
            person.live.assign(subject.subject.roles)
            return person
        }
        let isChanged =
            old.map(\.name) != new.map(\.name) || old.map(\.isOnWall) != new.map(\.isOnWall)
        new += people.filter { $0.name == nil }
        people = isChanged ? new.map { $0.withoutLines } : new
        indices = Dictionary(
            people.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        unknown = [:]
        return isChanged
    }

    /// Sets the workout of a person; nil when there is none.
    ///
    /// - Returns: The index of the person; nil for one who was removed.
    mutating func set(_ workout: LiveWorkout?, of person: String) -> Int? {
        guard let index = indices[person] else { return nil }
        people[index].workout = workout
        return index
    }

    /// Removes all workouts, since they are no longer observed.
    mutating func removeWorkouts() {
        for index in people.indices { people[index].workout = nil }
    }

    /// Forgets all measured values, since the clock was set back.
    mutating func forgetValues() {
        for index in people.indices { people[index].live.forgetValues() }
        unknown = [:]
    }

    /// Notes a minor change of a person, which is sent later.
    mutating func postpone(_ index: Int) { people[index].isPending = true }

    /// Notes that watchers are sent a state of a person.
    mutating func show(_ state: FollowedPerson.Shown, of index: Int) { people[index].show(state) }

    /// The line about a person for an audience; nil when nothing has changed for it.
    mutating func line(_ index: Int, for audience: LiveAudience) -> [UInt8]? {
        people[index].line(for: audience)
    }

    /// The line with the full state for an audience, of one person or of all.
    mutating func state(
        of person: String?, for audience: LiveAudience, at now: Instant
    ) -> [UInt8] {
        var objects: [[UInt8]] = []
        for index in people.indices where person == nil || people[index].name == person {
            let object = people[index].object(for: audience)
            if !object.isEmpty { objects.append(object.bytes) }
        }
        return JSONLine.make { json in
            json.object("state") { json in
                json.field("time", now.description)
                json.list("people", objects) { $1 += $0 }
            }
        }
    }
}

extension Record {
    /// Whether the feed shows anything of it.
    fileprivate var isSampleOrEvent: Bool {
        switch self {
        case .sample, .event: true
        case .category, .correlation, .workout, .deletion: false
        }
    }
}
