import HealthModel

/// Writes a workout as one JSON object with everything that is known of it.
///
/// Samples stand in it as in every other place, see `RecordEncoder`. What is not known is left out.
enum WorkoutJSON {
    static func bytes(_ recorded: RecordedWorkout) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            append(recorded.workout, to: &json)
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

    private static func append(_ workout: Workout, to json: inout JSONWriter) {
        json.field("id", "\(workout.id)")
        json.field("activity", workout.activity.name)
        json.field("activityNumber", Double(workout.activity.number))
        json.field("location", workout.location.name)
        json.field("start", workout.start)
        json.field("end", workout.end)
        json.field("seconds", workout.seconds)
        json.list("events", workout.events) { event, json in
            json.object { json in
                json.field("kind", String(describing: event.kind))
                json.field("start", event.start)
                json.field("end", event.end)
                json.field("metadata", event.metadata)
            }
        }
        json.list("totals", workout.totals) { total, json in
            json.object { append(total, to: &$0) }
        }
        json.field("person", workout.person)
        json.field("device", raw: workout.device?.json)
        json.field("source", raw: workout.source?.json)
        json.field("metadata", workout.metadata)
    }

    private static func append(_ total: WorkoutTotal, to json: inout JSONWriter) {
        let unit = total.type.canonicalUnit
        json.field("type", total.type.name)
        json.field("unit", unit.string)
        json.field("sum", try? total.sum?.value(in: unit))
        json.field("average", try? total.average?.value(in: unit))
        json.field("minimum", try? total.minimum?.value(in: unit))
        json.field("maximum", try? total.maximum?.value(in: unit))
        json.field("method", total.method)
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
