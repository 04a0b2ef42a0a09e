package import GatewayCore
package import HealthModel
package import JSON

/// A request of a client about a workout.
package struct WorkoutRequest: Equatable, Sendable {
    /// The requested action.
    package enum Action: String, CaseIterable, Sendable {
        case start, pause, resume, lap, mark, stop, discard, status, watch
    }

    /// The configuration of a workout to start.
    package struct Configuration: Equatable, Sendable {
        /// The name of the activity: one of HealthKit, or one that the configuration declares.
        package var activity: String?
        /// Indoor, outdoor or unknown.
        package var location = WorkoutLocation.unknown
        /// The JSON5 text of the plan.
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

    /// The action.
    package var action: Action
    /// The person; nil for the only one.
    package var person: String?
    /// The configuration; only for `start`.
    package var configuration = Configuration()
    /// Whether an error has the names of people.
    package var namesPeople = true

    /// The keys of a request of this kind.
    package static let keys = ["action", "person", "activity", "location", "plan"]

    /// Creates a value from its parts.
    package init(
        _ action: Action, person: String? = nil, configuration: Configuration = Configuration()
    ) {
        self.action = action
        self.person = person
        self.configuration = configuration
    }

    /// Reads a request whose keys were checked.
    ///
    /// `withWorkouts` are the people with a workout, who may have been removed from the
    /// configuration; `namesPeople` is false for a client that must not see their names.
    package init(
        _ object: ConfigurationObject, people: [String], withWorkouts: [String] = [],
        namesPeople: Bool = true
    ) throws(ConfigurationError) {
        action = try Self.action(of: object)
        self.namesPeople = namesPeople
        let others = action == .start ? [] : withWorkouts.filter { !people.contains($0) }
        person = try object["person"]?.person(of: people + others, namesKnown: namesPeople)
        guard action == .start else {
            if let surplus = object["activity"] ?? object["location"] ?? object["plan"] {
                throw surplus.error("is valid only for `start`, not for `\(action.rawValue)`")
            }
            return
        }
        configuration.activity = try object["activity"]?.string()
        configuration.plan = try object["plan"]?.string()
        let location = try object["location"]?.choice(of: WorkoutLocation.allCases.map(\.name))
        configuration.location =
            WorkoutLocation.allCases.first { $0.name == location } ?? .unknown
    }

    /// Reads the action of a request.
    package static func action(
        of object: ConfigurationObject
    ) throws(ConfigurationError) -> Action {
        let word = try object.require("action").choice(of: Action.allCases.map(\.rawValue))
        guard let action = Action(rawValue: word) else {
            throw ConfigurationError(path: "action", problem: "unknown action `\(word)`")
        }
        return action
    }

    /// Writes the fields of the request.
    package func write(to json: inout JSONWriter) {
        json.field("action", action.rawValue)
        json.field("person", person)
        json.field("activity", configuration.activity)
        json.field("plan", configuration.plan)
        guard configuration.location != .unknown else { return }
        json.field("location", configuration.location.name)
    }
}
