import GatewayCore
import HealthModel
package import JSON

/// The stored form of a session: a JSON object on one line.
extension WorkoutSession {
    private static let version = 1.0
    private static let keys = [
        "v", "id", "person", "activity", "location", "state", "start", "end", "last", "events",
        "plan",
    ]

    /// The session as a JSON object on one line.
    package var json: String {
        var object: [String: JSONValue] = [
            "v": .number(Self.version), "id": .string(id.description), "person": .string(person),
            "activity": activity.customName.map { .string($0) } ?? .number(Double(activity.number)),
            "location": .string(location.name), "state": .string(state.name),
            "events": .array(events.map(Self.value)),
        ]
        object["start"] = startedAt.map { .string($0.description) }
        object["end"] = endedAt.map { .string($0.description) }
        object["last"] = lastTime.map { .string($0.description) }
        object["plan"] = plan?.value
        return JSONValue.object(object).json
    }

    /// Decodes the text that ``json`` returned, strictly.
    /// - Throws: the first problem, with its key path.
    package init(json text: String) throws(JSONError) {
        let root = try DocumentNode(json5: text)
        // Check the version first: another version may have other keys.
        if let version = try root.entries().first(where: { $0.key == "v" })?.node {
            guard try version.number() == Self.version else {
                throw version.error(
                    "is not supported by this version of pulsegate; use the version that wrote it")
            }
        }
        let object = try root.object(keys: Self.keys)
        _ = try object.require("v")
        let id = try object.require("id")
        guard let recordID = RecordID(uuidString: try id.string()) else {
            throw id.error("must be a UUID")
        }
        let person = try object.require("person")
        guard Person.isValidName(try person.string()) else {
            throw person.error("\(PersonError.name)")
        }
        self.init(
            id: recordID, person: try person.string(),
            activity: try Self.activity(object.require("activity")),
            location: try Self.choice(
                object.require("location"), of: WorkoutLocation.allCases, \.name),
            plan: try object["plan"].map { node throws(JSONError) in
                try WorkoutPlan(node)
            })
        state = try Self.choice(object.require("state"), of: WorkoutState.allCases, \.name)
        startedAt = try Self.instant(object["start"])
        endedAt = try Self.instant(object["end"])
        lastTime = try Self.instant(object["last"])
        let events = try object.require("events")
        self.events = try Self.events(events)
        try checkTimes(root)
        try checkEvents(events)
    }

    // MARK: Parts

    private static func value(_ event: WorkoutEvent) -> JSONValue {
        var object: [String: JSONValue] = [
            "kind": .string(event.kind.name),
            "from": .string(event.start.description),
        ]
        if event.end != event.start { object["to"] = .string(event.end.description) }
        if !event.metadata.isEmpty {
            object["metadata"] = try? JSONValue(json5: event.metadata.json)
        }
        return .object(object)
    }

    private static func events(
        _ node: DocumentNode
    ) throws(JSONError) -> [WorkoutEvent] {
        let nodes = try node.array()
        guard nodes.count <= Workout.maximumEventCount else {
            throw node.error("\(WorkoutError.tooManyEvents)")
        }
        var events: [WorkoutEvent] = []
        for node in nodes { events.append(try event(node)) }
        return events
    }

    private static func event(_ node: DocumentNode) throws(JSONError) -> WorkoutEvent {
        let object = try node.object(keys: ["kind", "from", "to", "metadata"])
        let kind = try choice(
            object.require("kind"), of: WorkoutEvent.Kind.allCases, \.name)
        guard let start = try instant(object.require("from")) else {
            throw node.error("must be a time")
        }
        var metadata = Metadata()
        if let node = object["metadata"] {
            do { metadata = try Metadata(acceptedJSON: node.value.json) } catch {
                throw node.error("\(error)")
            }
        }
        do {
            return try WorkoutEvent(
                kind, from: start, to: try instant(object["to"]) ?? start, metadata: metadata)
        } catch let error as WorkoutError {
            throw node.error(error.description)
        } catch let error as JSONError {
            throw error
        } catch {
            throw node.error("is not valid")
        }
    }

    private static func activity(
        _ node: DocumentNode
    ) throws(JSONError) -> WorkoutActivity {
        if case .string = node.value {
            guard let activity = WorkoutActivity(customName: try node.string()) else {
                throw node.error("is not an activity name")
            }
            return activity
        }
        let number = try node.integer(in: 1...Int(Int32.max))
        guard let activity = WorkoutActivity(number: UInt(number)) else {
            throw node.error("is not an activity number")
        }
        return activity
    }

    private static func instant(
        _ node: DocumentNode?
    ) throws(JSONError) -> Instant? {
        guard let node else { return nil }
        guard let instant = Instant(iso8601: try node.string()) else {
            throw node.error("must be a time such as \"2026-11-21T18:15:00Z\"")
        }
        return instant
    }

    private static func choice<Value>(
        _ node: DocumentNode, of values: [Value], _ name: (Value) -> String
    ) throws(JSONError) -> Value {
        let word = try node.choice(of: values.map(name))
        guard let value = values.first(where: { name($0) == word }) else {
            throw node.error("unknown value")
        }
        return value
    }
}
