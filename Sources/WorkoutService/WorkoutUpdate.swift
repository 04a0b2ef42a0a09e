package import HealthModel
import JSON
package import Workouts

/// An update about a workout for its watchers.
package struct WorkoutUpdate: Sendable {
    /// The content of an update.
    package enum Content: Sendable {
        /// The present state.
        case live(LiveWorkout)
        /// The workout has ended; the id of its record, or nil when it was discarded.
        case ended(savedAs: RecordID?)
    }

    /// The content.
    package let content: Content
    /// The same as a line of JSON, encoded once for all watchers.
    package let line: [UInt8]

    /// The present state of a workout: `{"live":{…}}`.
    package static func live(_ workout: LiveWorkout) -> WorkoutUpdate {
        WorkoutUpdate(
            content: .live(workout), line: WorkoutWire.line(workout) + [UInt8(ascii: "\n")])
    }

    /// The end of a workout: `{"ended":{"id":"…"}}`, without an id when it was discarded.
    package static func ended(savedAs id: RecordID?) -> WorkoutUpdate {
        WorkoutUpdate(
            content: .ended(savedAs: id),
            line: line { json in json.object("ended") { $0.field("id", id.map { "\($0)" }) } })
    }

    /// The state of all workouts: `{"workouts":[{…},…]}`.
    package static func line(of workouts: [LiveWorkout]) -> [UInt8] {
        line { json in
            json.objects("workouts", workouts) { WorkoutWire.write($0, to: &$1) }
        }
    }

    private static func line(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(content)
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

/// A response line about workouts, decoded by a client.
package enum WorkoutAnswer {
    /// The state of one workout.
    case live(LiveWorkout)
    /// The state of all workouts.
    case all([LiveWorkout])
    /// The workout has ended; the id of its record, or nil when it was discarded.
    case ended(savedAs: RecordID?)

    /// Decodes a line; nil when it is not about workouts.
    package init?(_ line: some Collection<UInt8>) {
        guard let text = String(validating: line, as: UTF8.self),
            let (key, node) = try? DocumentNode(json5: text).entries().first
        else { return nil }
        switch key {
        case WorkoutWire.key:
            guard let live = try? WorkoutWire.read(node) else { return nil }
            self = .live(live)
        case "workouts":
            guard let nodes = try? node.array() else { return nil }
            self = .all(nodes.compactMap { try? WorkoutWire.read($0) })
        case "ended":
            let id = try? node.entries().first { $0.key == "id" }?.node.string()
            self = .ended(savedAs: id.flatMap { RecordID(uuidString: $0) })
        default: return nil
        }
    }
}
