package import HealthModel

extension SQLiteStore {
    /// Returns the records of a query as pages, so that memory use does not depend on their number.
    ///
    /// - Parameter types: The types for the members of correlations and the totals of workouts.
    package nonisolated func pages(
        matching query: RecordQuery, types: QuantityTypes = .standard
    ) -> StorePages<Record> {
        StorePages(limit: query.limit) {
            try await self.page(of: query, types: types, after: $0, size: $1)
        }
    }

    /// Returns all records of a query; use `pages(matching:)` for large results.
    package func records(
        matching query: RecordQuery, types: QuantityTypes = .standard
    ) throws -> [Record] {
        try page(of: query, types: types, after: nil, size: query.limit).items
    }

    func page(
        of query: RecordQuery, types: QuantityTypes, after position: SamplePosition?, size: Int?
    ) throws -> StorePage<Record> {
        try RecordReader(connection, lookup, types: types)
            .page(of: query, after: position, size: size)
    }

    /// Returns the category samples that overlap a time span, oldest first.
    ///
    /// A sample matches if it ends after `from` or starts at it, and starts before `to`.
    package func categorySamples(
        of type: CategoryType, from: Instant? = nil, to: Instant? = nil, limit: Int? = nil
    ) throws -> [CategorySample] {
        try records(
            matching: RecordQuery(type: .category(type), from: from, to: to, limit: limit)
        ).compactMap { if case .category(let sample) = $0 { sample } else { nil } }
    }

    /// Returns the correlations that overlap a time span, oldest first.
    ///
    /// A correlation matches if it ends after `from` or starts at it, and starts before `to`.
    /// Queries for the types of its members return the members too.
    package func correlations(
        of type: CorrelationType, from: Instant? = nil, to: Instant? = nil, limit: Int? = nil,
        types: QuantityTypes = .standard
    ) throws -> [Correlation] {
        try records(
            matching: RecordQuery(type: .correlation(type), from: from, to: to, limit: limit),
            types: types
        ).compactMap { if case .correlation(let correlation) = $0 { correlation } else { nil } }
    }

    /// Returns the device events from one time (inclusive) to another (exclusive), oldest first.
    package func events(
        from: Instant? = nil, to: Instant? = nil, limit: Int? = nil
    ) throws -> [DeviceEvent] {
        try records(matching: RecordQuery(type: nil, from: from, to: to, limit: limit))
            .compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
}
