import HealthModel
package import JSON
package import Workouts

/// Writes a workout as one JSON object with all its data.
///
/// It starts with the fields of the workout record; each sample is a record too, see
/// `RecordEncoder`. Unknown values are omitted.
package enum WorkoutJSON {
    static func bytes(_ recorded: RecordedWorkout) -> [UInt8] {
        object(recorded) { json in
            json.list("samples", recorded.samples) { RecordEncoder.append(.sample($0), to: &$1) }
        } + [UInt8(ascii: "\n")]
    }

    /// The object without samples, with additional fields at its end.
    package static func object(
        _ recorded: RecordedWorkout, then content: (inout JSONWriter) -> Void
    ) -> [UInt8] {
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
            content(&json)
        }
        return json.bytes
    }
}
