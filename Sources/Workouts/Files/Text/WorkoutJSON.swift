import HealthModel
import JSON

/// Writes a workout as one JSON object with everything that is known of it.
///
/// It begins with the fields of the workout's record, and each of its samples is a record too: see
/// `RecordEncoder`. What is not known is left out.
enum WorkoutJSON {
    static func bytes(_ recorded: RecordedWorkout) -> [UInt8] {
        var json = JSONWriter()
        json.object(appending: { RecordEncoder.append(.workout(recorded.workout), to: &$0) }) {
            json in
            json.object("measures") { recorded.measures.write(to: &$0) }
            json.objects("laps", recorded.laps) { lap, json in
                json.field("start", "\(lap.span.lowerBound)")
                json.field("end", "\(lap.span.upperBound)")
                json.object("measures") { lap.measures.write(to: &$0) }
            }
            if let zones = recorded.zones { json.numbers("zones", zones.lowerBounds) }
            json.list("samples", recorded.samples) { RecordEncoder.append(.sample($0), to: &$1) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
