package import GatewayCore
package import HealthModel
package import JSON

/// What a client wants of somebody's workout.
package struct WorkoutRequest: Equatable, Sendable {
    /// What is to be done.
    package enum Action: String, CaseIterable, Sendable {
        case start, pause, resume, lap, mark, stop, discard, status, watch
    }

    /// What a workout is started with.
    package struct Beginning: Equatable, Sendable {
        /// The name of the activity, HealthKit's or one that the configuration declares.
        package var activity: String?
        package var location = WorkoutLocation.unknown
        /// The text of a plan, JSON5.
        package var plan: String?

        /// Creates a value from its parts.
        package init(
            activity: String? = nil, location: WorkoutLocation = .unknown, plan: String? = nil
        ) {
            self.activity = activity
            self.location = location
            self.plan = plan
        }
    }

    package var action: Action
    /// Whose; the one there is when nobody is named.
    package var person: String?
    /// Only for `start`.
    package var beginning = Beginning()

    /// The keys of a request of this kind.
    package static let keys = ["action", "person", "activity", "location", "plan"]

    package init(_ action: Action, person: String? = nil, beginning: Beginning = Beginning()) {
        self.action = action
        self.person = person
        self.beginning = beginning
    }

    /// Reads it from a request whose keys were checked; `withWorkouts` have a workout, also those who are not
    /// among the people any more.
    package init(
        _ object: ConfigurationObject, people: [String], withWorkouts: [String] = []
    ) throws(ConfigurationError) {
        let word = try object.require("action").choice(of: Action.allCases.map(\.rawValue))
        guard let action = Action(rawValue: word) else {
            throw ConfigurationError(path: "action", problem: "`\(word)` is unknown")
        }
        self.action = action
        let others = action == .start ? [] : withWorkouts.filter { !people.contains($0) }
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
    package func write(to json: inout JSONWriter) {
        json.field("action", action.rawValue)
        json.field("person", person)
        json.field("activity", beginning.activity)
        json.field("plan", beginning.plan)
        guard beginning.location != .unknown else { return }
        json.field("location", beginning.location.name)
    }
}
