/// The events and totals of a workout as JSON, for a store with separate columns.
extension Workout {
    /// The events as a JSON list, written as in a record.
    package var eventsJSON: String {
        var buffer: [UInt8] = []
        RecordEncoder.append(events, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// The totals as a JSON list, written as in a record.
    package var totalsJSON: String {
        var buffer: [UInt8] = []
        RecordEncoder.append(totals, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads events that were already accepted.
    /// - Throws: the problem and its offset, never a value.
    package static func events(
        acceptedJSON json: String
    ) throws(RecordDecodingError) -> [WorkoutEvent] {
        try read(json) { cursor throws(RecordDecodingError) in
            try cursor.readWorkoutEvents(followingRules: false)
        }
    }

    /// Reads totals that were already accepted, including those of types that are no longer
    /// declared.
    /// - Throws: the problem and its offset, never a value.
    package static func totals(
        acceptedJSON json: String, types: QuantityTypes
    ) throws(RecordDecodingError) -> [WorkoutTotal] {
        try read(json) { cursor throws(RecordDecodingError) in
            try cursor.readWorkoutTotals(among: types, allowingUndeclared: true)
        }
    }

    private static func read<Value>(
        _ json: String, _ body: (inout JSONCursor) throws(RecordDecodingError) -> Value
    ) throws(RecordDecodingError) -> Value {
        let result = Array(json.utf8).withUnsafeBytes {
            bytes -> Result<Value, RecordDecodingError> in
            var cursor = JSONCursor(bytes)
            do throws(RecordDecodingError) {
                let value = try body(&cursor)
                try cursor.expectEnd()
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
