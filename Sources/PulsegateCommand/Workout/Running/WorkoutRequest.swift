import GatewayCore
import HealthModel

/// What a client wants of somebody's workout.
struct WorkoutRequest: Equatable, Sendable {
    /// What is to be done.
    enum Action: String, CaseIterable, Sendable {
        case start, pause, resume, lap, mark, stop, discard, status, watch
    }

    /// What a workout is started with.
    struct Beginning: Equatable, Sendable {
        /// The name of the activity, HealthKit's or one that the configuration declares.
        var activity: String?
        var location = WorkoutLocation.unknown
        /// The text of a plan, JSON5.
        var plan: String?
    }

    var action: Action
    /// Whose; the one there is when nobody is named.
    var person: String?
    /// Only for `start`.
    var beginning = Beginning()

    /// The keys of a request of this kind.
    static let keys = ["do", "person", "activity", "location", "plan"]

    init(_ action: Action, person: String? = nil, beginning: Beginning = Beginning()) {
        self.action = action
        self.person = person
        self.beginning = beginning
    }

    /// Reads it from a request whose keys were checked; `wearers` have a workout, also those who are not
    /// among the people any more.
    init(
        _ object: ConfigurationObject, people: [String], wearers: [String] = []
    ) throws(ConfigurationError) {
        let word = try object.require("do").choice(of: Action.allCases.map(\.rawValue))
        guard let action = Action(rawValue: word) else {
            throw ConfigurationError(path: "do", problem: "`\(word)` is unknown")
        }
        self.action = action
        let others = action == .start ? [] : wearers.filter { !people.contains($0) }
        person = try object["person"]?.choice(of: people + others)
        guard action == .start else {
            if let surplus = object["activity"] ?? object["location"] ?? object["plan"] {
                throw surplus.error("a start has it, but `\(word)` does not")
            }
            return
        }
        beginning.activity = try object["activity"]?.string()
        beginning.plan = try object["plan"]?.string()
        let location = try object["location"]?.choice(of: WorkoutLocation.allCases.map(\.name))
        beginning.location =
            WorkoutLocation.allCases.first { $0.name == location } ?? .unknown
    }

    /// Writes it into a request.
    func write(to json: inout JSONWriter) {
        json.field("do", action.rawValue)
        json.field("person", person)
        json.field("activity", beginning.activity)
        json.field("plan", beginning.plan)
        guard beginning.location != .unknown else { return }
        json.field("location", beginning.location.name)
    }
}
