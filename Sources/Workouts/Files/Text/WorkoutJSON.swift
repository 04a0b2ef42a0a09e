import HealthModel

/// Writes a workout as one JSON object with everything that is known of it.
///
/// It begins with the fields of the workout's record, and each of its samples is a record too: see
/// `RecordEncoder`. What is not known is left out.
enum WorkoutJSON {
    static func bytes(_ recorded: RecordedWorkout) -> [UInt8] {
        var json = JSONWriter()
        json.record(.workout(recorded.workout)) { json in
            json.field("measures") { append(recorded.measures, to: &$0) }
            json.list("laps", recorded.laps) { lap, json in
                json.object { json in
                    json.field("start", lap.span.lowerBound)
                    json.field("end", lap.span.upperBound)
                    json.field("measures") { append(lap.measures, to: &$0) }
                }
            }
            if let zones = recorded.zones {
                json.list("zones", zones.lowerBounds) { $1.number($0) }
            }
            json.list("samples", recorded.samples) { $1.record(.sample($0)) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func append(_ measures: WorkoutMeasures, to json: inout JSONWriter) {
        json.object { json in
            json.field("elapsedSeconds", measures.elapsedSeconds)
            json.field("activeSeconds", measures.activeSeconds)
            append(measures.heartRate, "heartRate", to: &json)
            json.list("zoneSeconds", measures.zoneSeconds) { $1.number($0) }
            json.field("energyKilocalories", measures.energyKilocalories)
            json.list("energyMethods", measures.energyMethods.sorted()) { $1.text($0.rawValue) }
            json.field("distanceMeters", measures.distanceMeters)
            json.field("stepCount", measures.stepCount)
            append(measures.cadence, "cadence", to: &json)
            append(measures.speed, "speed", to: &json)
            json.field("rmssdMilliseconds", measures.rmssdMilliseconds)
        }
    }

    private static func append(
        _ spread: WorkoutMeasures.Spread?, _ name: String, to json: inout JSONWriter
    ) {
        guard let spread else { return }
        json.field(name) { json in
            json.object { json in
                json.field("average", spread.average)
                json.field("minimum", spread.minimum)
                json.field("maximum", spread.maximum)
            }
        }
    }
}
