import JSON

/// The JSON of a workout.
extension RecordEncoder {
    /// The length of a workout as JSON, in bytes.
    static func length(of workout: Workout) -> Int {
        var buffer: [UInt8] = []
        append(workout, to: &buffer)
        return buffer.count
    }

    static func append(_ workout: Workout, to buffer: inout [UInt8]) {
        buffer.append("{\"kind\":\"workout\",\"id\":\"")
        workout.id.append(to: &buffer)
        buffer.append("\"")
        append(workout.activity, to: &buffer)
        if workout.location != .unknown {
            buffer.append(",\"location\":")
            buffer.appendJSONString(workout.location.name)
        }
        append(",\"start\":", workout.start, to: &buffer)
        append(",\"end\":", workout.end, to: &buffer)
        // Derived from the times and the pauses, so that readers need not calculate it.
        buffer.append(",\"seconds\":")
        Number.append(workout.seconds, to: &buffer)
        if !workout.events.isEmpty {
            buffer.append(",\"events\":")
            append(workout.events, to: &buffer)
        }
        if !workout.totals.isEmpty {
            buffer.append(",\"totals\":")
            append(workout.totals, to: &buffer)
        }
        appendOrigin(
            person: workout.person, device: workout.device, source: workout.source, to: &buffer)
        appendField(workout.metadata, to: &buffer)
        buffer.append("}")
    }

    private static func append(_ activity: WorkoutActivity, to buffer: inout [UInt8]) {
        buffer.append(",\"activity\":")
        guard let customName = activity.customName else {
            return buffer.appendJSONString(activity.name)
        }
        buffer.appendJSONString(WorkoutActivityType.other.name)
        buffer.append(",\"activityName\":")
        buffer.appendJSONString(customName)
    }

    /// Appends events as a list.
    static func append(_ events: [WorkoutEvent], to buffer: inout [UInt8]) {
        var separator: StaticString = "[{\"event\":"
        for event in events {
            buffer.append(separator)
            buffer.appendJSONString(event.kind.name)
            if event.kind.hasDuration {
                append(",\"start\":", event.start, to: &buffer)
                append(",\"end\":", event.end, to: &buffer)
            } else {
                append(",\"at\":", event.start, to: &buffer)
            }
            appendField(event.metadata, to: &buffer)
            buffer.append("}")
            separator = ",{\"event\":"
        }
        buffer.append(events.isEmpty ? "[]" : "]")
    }

    /// Appends totals as a list.
    static func append(_ totals: [WorkoutTotal], to buffer: inout [UInt8]) {
        var separator: StaticString = "[{\"type\":"
        for total in totals {
            buffer.append(separator)
            buffer.append(contentsOf: total.type.json)
            append(",\"sum\":", total.sum, to: &buffer)
            append(",\"average\":", total.average, to: &buffer)
            append(",\"minimum\":", total.minimum, to: &buffer)
            append(",\"maximum\":", total.maximum, to: &buffer)
            if let unit = (total.sum ?? total.average)?.unit {
                buffer.append(",\"unit\":")
                buffer.append(contentsOf: unit.json)
            }
            if let method = total.method {
                buffer.append(",\"method\":")
                buffer.appendJSONString(method)
            }
            buffer.append("}")
            separator = ",{\"type\":"
        }
        buffer.append(totals.isEmpty ? "[]" : "]")
    }

    private static func append(
        _ key: StaticString, _ quantity: Quantity?, to buffer: inout [UInt8]
    ) {
        guard let quantity else { return }
        buffer.append(key)
        Number.append(quantity.value, to: &buffer)
    }

    private static func append(
        _ key: StaticString, _ time: Instant, to buffer: inout [UInt8]
    ) {
        buffer.append(key)
        buffer.append("\"")
        time.appendISO8601(to: &buffer)
        buffer.append("\"")
    }
}
