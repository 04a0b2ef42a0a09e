package import HealthModel
import JSON
package import Workouts

/// What those who watch a workout see of it.
package struct WorkoutUpdate: Sendable {
    /// What has happened.
    package enum Content: Sendable {
        /// Its present state.
        case live(LiveWorkout)
        /// It is over; saved under an id, or not.
        case ended(savedAs: RecordID?)
    }

    /// What has happened.
    package let content: Content
    /// The same as a line of JSON, written once for all who watch.
    package let line: [UInt8]

    /// The present state of a workout: `{"live":{…}}`.
    package static func live(_ workout: LiveWorkout) -> WorkoutUpdate {
        WorkoutUpdate(
            content: .live(workout), line: WorkoutWire.line(workout) + [UInt8(ascii: "\n")])
    }

    /// A workout is over: `{"ended":{"id":"…"}}`, without an id when it was not saved.
    package static func ended(savedAs id: RecordID?) -> WorkoutUpdate {
        WorkoutUpdate(
            content: .ended(savedAs: id),
            line: line { json in json.object("ended") { $0.field("id", id.map { "\($0)" }) } })
    }

    /// The line of all workouts: `{"workouts":[{…},…]}`.
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

/// A line of the gateway about workouts, as a client reads it.
package enum WorkoutAnswer {
    /// The state of one.
    case live(LiveWorkout)
    /// The state of all.
    case all([LiveWorkout])
    /// It is over; saved under an id, or not.
    case ended(savedAs: RecordID?)

    /// Reads a line; nil when it is none of these.
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
