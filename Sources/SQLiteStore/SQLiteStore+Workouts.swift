package import HealthModel

extension SQLiteStore {
    /// Returns the workouts of a query, newest first.
    ///
    /// The text of the query is searched in every workout that matches its other conditions.
    package func workouts(
        matching query: WorkoutQuery = WorkoutQuery(), types: QuantityTypes = .standard
    ) throws -> [Workout] {
        try WorkoutReader(connection, lookup, types: types).workouts(matching: query)
    }

    /// Returns the ids of all workouts, in order.
    package func workoutIDs() throws -> [RecordID] { try WorkoutReader(connection, lookup).ids() }

    /// Returns the custom activities that workouts have, in no order.
    package func customActivities() throws -> [WorkoutActivity] {
        try WorkoutReader(connection, lookup).customActivities()
    }

    /// Returns the workout with this id; nil when there is none.
    package func workout(
        _ id: RecordID, types: QuantityTypes = .standard
    ) throws -> Workout? {
        try WorkoutReader(connection, lookup, types: types)
            .workouts(from: id, through: id, limit: 1).first
    }

    /// Returns the workouts whose ids start with a prefix, oldest first; two or more mean that the
    /// prefix is ambiguous.
    ///
    /// Hyphens and case are ignored. An empty or invalid prefix matches nothing.
    package func workouts(
        withIDPrefix prefix: String, limit: Int = 2, types: QuantityTypes = .standard
    ) throws -> [Workout] {
        guard let range = RecordID.range(ofPrefix: prefix) else { return [] }
        return try WorkoutReader(connection, lookup, types: types)
            .workouts(from: range.first, through: range.last, limit: limit)
    }

    /// Returns the samples of several types as pages, ordered by time: the samples of a workout.
    ///
    /// - Parameters:
    ///   - person: The person's name; nil for all people.
    ///   - from: Only samples that end after this time, or start at it.
    ///   - to: Only samples that start before this time.
    package nonisolated func samples(
        of person: String?, from: Instant, to: Instant, types: [QuantityType]
    ) -> StorePages<QuantitySample> {
        var queries: [SampleQuery] = []
        for type in types where !queries.contains(where: { $0.type == type }) {
            queries.append(SampleQuery(type: type, from: from, to: to, person: person))
        }
        return StorePages(limit: nil) { [queries] position, size in
            try await self.page(of: queries, after: position, size: size)
        }
    }

    func page(
        of queries: [SampleQuery], after position: SamplePosition?, size: Int
    ) throws -> StorePage<QuantitySample> {
        try SampleReader(connection, lookup).page(of: queries, after: position, size: size)
    }
}

extension RecordID {
    /// The range of ids with a prefix; nil when the prefix is empty, too long or not hexadecimal.
    fileprivate static func range(ofPrefix text: String) -> (first: RecordID, last: RecordID)? {
        let digits = text.filter { $0 != "-" }
        guard (1...32).contains(digits.count) else { return nil }
        func id(filledWith digit: Character) -> RecordID? {
            let whole = digits + String(repeating: digit, count: 32 - digits.count)
            // UInt64 would also accept a plus sign.
            guard whole.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let high = UInt64(whole.prefix(16), radix: 16),
                let low = UInt64(whole.suffix(16), radix: 16)
            else { return nil }
            return RecordID(high: high, low: low)
        }
        guard let first = id(filledWith: "0"), let last = id(filledWith: "f") else { return nil }
        return (first, last)
    }
}
