/// Reads the fields of a workout.
extension JSONCursor {
    /// Reads an activity of HealthKit, by its name or, for an unknown one, by its number.
    mutating func readActivity() throws(RecordDecodingError) -> WorkoutActivity {
        let (text, start) = try readPlainText(for: "activity")
        if let type = WorkoutActivityType.named(text) { return WorkoutActivity(type) }
        guard let number = UInt(text), String(number) == text,
            let activity = WorkoutActivity(number: number)
        else {
            throw .invalidValue(
                key: "activity", expected: "an activity such as running", offset: start)
        }
        return activity
    }

    /// Reads the name of a custom activity; HealthKit may have added the same name since it was
    /// written.
    mutating func readActivityName() throws(RecordDecodingError) -> (
        activity: WorkoutActivity, offset: Int
    ) {
        let (text, start) = try readPlainText(for: "activityName")
        let activity =
            WorkoutActivity(customName: text)
            ?? WorkoutActivityType.named(text).map { WorkoutActivity($0) }
        guard let activity else {
            throw .invalidValue(
                key: "activityName", expected: "a name of \(Person.nameRule)",
                offset: start)
        }
        return (activity, start)
    }

    mutating func readLocation() throws(RecordDecodingError) -> WorkoutLocation {
        let (text, start) = try readPlainText(for: "location")
        guard let location = WorkoutLocation.allCases.first(where: { $0.name == text }) else {
            let names = WorkoutLocation.allCases.map(\.name).joined(separator: ", ")
            throw .invalidValue(key: "location", expected: "one of \(names)", offset: start)
        }
        return location
    }

    /// Reads a list of events.
    mutating func readWorkoutEvents(
        followingRules: Bool
    ) throws(RecordDecodingError) -> [WorkoutEvent] {
        let start = try openList(for: "events")
        var events: [WorkoutEvent] = []
        if take("]") { return events }
        repeat {
            guard events.count < Workout.maximumEventCount else {
                throw .invalidValue(
                    key: "events", expected: "a list of up to \(Workout.maximumEventCount) events",
                    offset: start)
            }
            events.append(try readWorkoutEvent(followingRules: followingRules))
        } while take(",")
        try expect("]")
        return events
    }

    private mutating func readWorkoutEvent(
        followingRules: Bool
    ) throws(RecordDecodingError) -> WorkoutEvent {
        skipSpace()
        let begin = position
        try openObject(for: "events")
        var kind: WorkoutEvent.Kind?
        var (at, start, end): (Instant?, Instant?, Instant?)
        var metadata: Metadata?
        var isFirst = true
        while let text = try nextKey(isFirst: &isFirst) {
            let key = try string(text)
            switch key {
            case "event" where kind == nil: kind = try readEventKind()
            case "at" where at == nil: at = try readInstant(for: "events.at")
            case "start" where start == nil: start = try readInstant(for: "events.start")
            case "end" where end == nil: end = try readInstant(for: "events.end")
            case "metadata" where metadata == nil:
                metadata = try readMetadata(followingRules: followingRules)
            case "event", "at", "start", "end", "metadata": throw duplicate(key, text)
            default: try skipValue()
            }
        }
        guard let kind else { throw .missingKey("events.event") }
        guard (at == nil) != (start == nil), (start == nil) == (end == nil),
            let from = at ?? start, let to = at ?? end
        else {
            throw .invalidValue(
                key: "events", expected: "objects with at, or with start and end", offset: begin)
        }
        do {
            return try WorkoutEvent(kind, from: from, to: to, metadata: metadata ?? Metadata())
        } catch {
            throw .invalidWorkout(error)
        }
    }

    private mutating func readEventKind() throws(RecordDecodingError) -> WorkoutEvent.Kind {
        let (text, start) = try readPlainText(for: "events.event")
        guard let kind = WorkoutEvent.Kind.allCases.first(where: { $0.name == text }) else {
            let names = WorkoutEvent.Kind.allCases.map(\.name).joined(separator: ", ")
            throw .invalidValue(key: "events.event", expected: "one of \(names)", offset: start)
        }
        return kind
    }

    /// Reads a list of totals.
    mutating func readWorkoutTotals(
        among types: QuantityTypes, allowingUndeclared: Bool
    ) throws(RecordDecodingError) -> [WorkoutTotal] {
        _ = try openList(for: "totals")
        var totals: [WorkoutTotal] = []
        if take("]") { return totals }
        repeat {
            let draft = try readTotal(among: types, allowingUndeclared: allowingUndeclared)
            totals.append(try draft.finish(allowingUndeclared: allowingUndeclared))
        } while take(",")
        try expect("]")
        return totals
    }

    private mutating func readTotal(
        among types: QuantityTypes, allowingUndeclared: Bool
    ) throws(RecordDecodingError) -> WorkoutTotalDraft {
        skipSpace()
        var draft = WorkoutTotalDraft(offset: position)
        try openObject(for: "totals")
        var isFirst = true
        while let text = try nextKey(isFirst: &isFirst) {
            let key = try string(text)
            switch key {
            case "type" where draft.type == nil:
                draft.type = try readType(among: types, allowingUndeclared: allowingUndeclared)
            case "unit" where draft.unit == nil: draft.unit = try readUnit(for: "totals.unit")
            case "method" where draft.method == nil:
                draft.method = try readString(for: "totals.method")
            case "sum", "average", "minimum", "maximum":
                guard draft.values[key] == nil else { throw duplicate(key, text) }
                draft.values[key] = try readNumber(for: "totals.\(key)")
            case "type", "unit", "method": throw duplicate(key, text)
            default: try skipValue()
            }
        }
        return draft
    }

    /// Opens a list and returns its start.
    private mutating func openList(for key: String) throws(RecordDecodingError) -> Int {
        skipSpace()
        let start = position
        guard take("[") else {
            throw .invalidValue(key: key, expected: "a list of objects", offset: start)
        }
        return start
    }
}
