package import HealthModel

extension HealthStore {
    /// Returns the workouts of a query, the newest first.
    ///
    /// A text is looked for in every workout that else matches.
    package func workouts(
        matching query: WorkoutQuery = WorkoutQuery(), types: QuantityTypes = .standard
    ) throws -> [Workout] {
        try WorkoutReader(connection, lookup, types: types).workouts(matching: query)
    }

    /// Returns how many workouts there are, of one person or of all.
    package func workoutCount(of person: String? = nil) throws -> Int {
        try WorkoutReader(connection, lookup).count(of: person)
    }

    /// Returns the workout of this id; nil when there is none.
    package func workout(
        _ id: RecordID, types: QuantityTypes = .standard
    ) throws -> Workout? {
        try WorkoutReader(connection, lookup, types: types)
            .workouts(from: id, through: id, limit: 1).first
    }

    /// Returns the workouts whose ids begin with a text, the oldest first: with two or more it is not clear
    /// which one is meant.
    ///
    /// Hyphens and the case of letters do not matter. Nothing begins with an empty text, or with one that
    /// has other signs than an id.
    package func workouts(
        withIDPrefix prefix: String, limit: Int = 2, types: QuantityTypes = .standard
    ) throws -> [Workout] {
        guard let range = RecordID.range(ofPrefix: prefix) else { return [] }
        return try WorkoutReader(connection, lookup, types: types)
            .workouts(from: range.first, through: range.last, limit: limit)
    }

    /// The samples of several types in the order of time, page by page: what a workout is made of.
    ///
    /// - Parameters:
    ///   - person: Whose; nil for everybody's.
    ///   - from: Only samples of this time or later: those that end after it, or start at it.
    ///   - to: Only samples that start before this time.
    package nonisolated func samples(
        of person: String?, from: Instant, to: Instant, types: [QuantityType]
    ) -> MixedSamplePages {
        var queries: [SampleQuery] = []
        for type in types where !queries.contains(where: { $0.type == type }) {
            queries.append(SampleQuery(type: type, from: from, to: to, person: person))
        }
        return MixedSamplePages(store: self, queries: queries)
    }

    func page(
        of queries: [SampleQuery], after position: SamplePosition?, size: Int
    ) throws -> SamplePage {
        try SampleReader(connection, lookup).page(of: queries, after: position, size: size)
    }
}

/// The samples of several types, a page at a time; those of one start come as they were stored.
///
/// Between two pages the store is free, so a slow reader holds up nobody.
package struct MixedSamplePages: AsyncSequence, Sendable {
    package typealias Element = [QuantitySample]

    let store: HealthStore
    let queries: [SampleQuery]

    package func makeAsyncIterator() -> Iterator {
        Iterator(store: store, queries: queries)
    }

    package struct Iterator: AsyncIteratorProtocol {
        let store: HealthStore
        let queries: [SampleQuery]
        var last: SamplePosition?
        var isAtEnd = false

        /// Returns the next page, which is not empty; nil at the end.
        package mutating func next() async throws -> [QuantitySample]? {
            guard !isAtEnd else { return nil }
            let size = SamplePages.maximumPageSize
            let page = try await store.page(of: queries, after: last, size: size)
            // A page that is not full is the last.
            isAtEnd = page.samples.count < size
            last = page.last
            return page.samples.isEmpty ? nil : page.samples
        }
    }
}

extension RecordID {
    /// The first and the last id that begin with some digits; nil when these are none, or too many.
    fileprivate static func range(ofPrefix text: String) -> (first: RecordID, last: RecordID)? {
        let digits = text.filter { $0 != "-" }
        guard (1...32).contains(digits.count) else { return nil }
        func id(filledWith digit: Character) -> RecordID? {
            let whole = digits + String(repeating: digit, count: 32 - digits.count)
            // A sign before the digits would be taken for a number, too.
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
