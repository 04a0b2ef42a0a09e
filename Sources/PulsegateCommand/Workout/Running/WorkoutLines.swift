import GatewayCore
import HealthModel
import Workouts

/// What the gateway says of workouts on its control socket, a line each.
enum WorkoutLines {
    /// How one workout is doing: `{"live":{…}}`.
    static func live(_ workout: LiveWorkout) -> [UInt8] {
        WorkoutWire.line(workout) + [UInt8(ascii: "\n")]
    }

    /// How all are doing: `{"workouts":[{…},…]}`.
    static func all(_ workouts: [LiveWorkout]) -> [UInt8] {
        line { json in
            json.objects("workouts", workouts) { WorkoutWire.write($0, to: &$1) }
        }
    }

    /// One is over: `{"ended":{"id":"…"}}`, without an id when it was not saved.
    static func ended(savedAs id: RecordID?) -> [UInt8] {
        line { json in json.object("ended") { $0.field("id", id.map { "\($0)" }) } }
    }

    private static func line(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(content)
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

/// A line of the gateway about workouts, as a client reads it.
enum WorkoutAnswer {
    /// How one is doing.
    case live(LiveWorkout)
    /// How all are doing.
    case all([LiveWorkout])
    /// It is over; saved under an id, or not.
    case ended(savedAs: RecordID?)

    /// Reads a line; nil when it is none of these.
    init?(_ line: some Collection<UInt8>) {
        guard let text = String(validating: line, as: UTF8.self),
            let value = try? ConfigurationValue(json5: text),
            let (key, node) = try? ConfigurationNode(path: "", value: value).entries().first
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
