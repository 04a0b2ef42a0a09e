package import HealthModel

extension HealthStore {
    /// Reads the records of a query page by page, so that memory does not grow with their number.
    ///
    /// - Parameter types: The types of the members of correlations and of the totals of workouts.
    package nonisolated func pages(
        matching query: RecordQuery, types: QuantityTypes = .standard
    ) -> RecordPages {
        RecordPages(store: self, query: query, types: types)
    }

    /// Returns the records of a query, all at once; `pages(matching:)` is for many.
    package func records(
        matching query: RecordQuery, types: QuantityTypes = .standard
    ) throws -> [Record] {
        try page(of: query, types: types, after: nil, size: query.limit).records
    }

    func page(
        of query: RecordQuery, types: QuantityTypes, after position: SamplePosition?, size: Int?
    ) throws -> RecordPage {
        try RecordReader(connection, lookup, types: types)
            .page(of: query, after: position, size: size)
    }

    /// Returns the samples of a category that end after one time, or start at it, and start before another;
    /// the oldest first.
    package func categorySamples(
        of type: CategoryType, from: Instant? = nil, to: Instant? = nil, limit: Int? = nil
    ) throws -> [CategorySample] {
        try records(
            matching: RecordQuery(type: .category(type), from: from, to: to, limit: limit)
        ).compactMap { if case .category(let sample) = $0 { sample } else { nil } }
    }

    /// Returns the correlations that end after one time, or start at it, and start before another; the
    /// oldest first.
    ///
    /// Their members are found by the other queries too, each by its own type and time.
    package func correlations(
        of type: CorrelationType, from: Instant? = nil, to: Instant? = nil, limit: Int? = nil,
        types: QuantityTypes = .standard
    ) throws -> [Correlation] {
        try records(
            matching: RecordQuery(type: .correlation(type), from: from, to: to, limit: limit),
            types: types
        ).compactMap { if case .correlation(let correlation) = $0 { correlation } else { nil } }
    }

    /// Returns the events from one time until before another, the oldest first.
    package func events(
        from: Instant? = nil, to: Instant? = nil, limit: Int? = nil
    ) throws -> [DeviceEvent] {
        try records(matching: RecordQuery(type: nil, from: from, to: to, limit: limit))
            .compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
}
