import HealthModel
import JSON
import XML

extension AppleHealthWriter {
    /// Writes a workout; returns false when the format has no name for its activity.
    mutating func write(_ workout: Workout) -> Bool {
        guard let activity = workout.activity.type else { return false }
        let kind = [
            ("workoutActivityType", activity.identifier),
            ("duration", Number.string(workout.seconds / 60)), ("durationUnit", "min"),
        ]
        xml.start(
            "Workout",
            kind + origin(workout.source, workout.device, from: workout.start, to: workout.end))
        write(workout.metadata, id: workout.id, from: workout.start, to: workout.end)
        if let name = workout.activity.customName { entry(AppleHealthKeys.activity, name) }
        if workout.location != .unknown, workout.metadata[.indoorWorkout] == nil {
            entry(
                MetadataKey<Bool>.indoorWorkout.name, workout.location == .indoor ? "1" : "0")
        }
        for event in workout.events { write(event) }
        for total in workout.totals { write(total, of: workout) }
        xml.end()
        return true
    }

    private mutating func write(_ event: WorkoutEvent) {
        let name = event.kind.name
        var attributes: Attributes = [
            ("type", "HKWorkoutEventType\(name.prefix(1).uppercased())\(name.dropFirst())"),
            ("date", AppleTime.text(event.start, calendar)),
        ]
        if event.kind.hasDuration {
            let seconds = Double(event.end.nanoseconds(since: event.start)) / 1e9
            attributes.append(("duration", Number.string(seconds / 60)))
            attributes.append(("durationUnit", "min"))
        }
        xml.start("WorkoutEvent", attributes)
        write(event.metadata, id: nil, from: event.start, to: event.end)
        xml.end()
    }

    private mutating func write(_ total: WorkoutTotal, of workout: Workout) {
        guard let type = total.type.healthKitIdentifier else {
            return counts.addUnknown("workout total of \(total.type.name)")
        }
        var attributes: Attributes = [
            ("type", type), ("startDate", AppleTime.text(workout.start, calendar)),
            ("endDate", AppleTime.text(workout.end, calendar)),
        ]
        let values = [
            ("average", total.average), ("minimum", total.minimum), ("maximum", total.maximum),
            ("sum", total.sum),
        ]
        for case (let name, let quantity?) in values {
            attributes.append((name, quantity.valueText))
        }
        if let unit = (total.sum ?? total.average)?.unit {
            attributes.append(("unit", unit.string))
        }
        empty("WorkoutStatistics", attributes)
    }
}
