public import HealthModel
public import HealthStatistics

/// The questions of a program, in the words of their types.
extension HealthStore {
    /// Returns the records that match a predicate, oldest first.
    public func records(
        matching predicate: RecordPredicate, limit: Int? = nil
    ) async throws(HealthStoreError) -> [Record] {
        try await records(matching: predicate, order: .oldestFirst, limit: limit)
    }

    /// Returns what was stored and removed since an anchor, at most some 1,000 records.
    public func changes(
        since anchor: StoreAnchor?
    ) async throws(HealthStoreError) -> StoreChanges {
        try await changes(since: anchor, limit: 1_000)
    }

    /// Returns the samples of a type that match a predicate.
    public func samples(
        _ type: QuantityType, matching predicate: RecordPredicate = .all,
        order: QueryOrder = .oldestFirst, limit: Int? = nil
    ) async throws(HealthStoreError) -> [QuantitySample] {
        let found = try await records(
            matching: .type(type) && predicate, order: order, limit: limit)
        return found.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }
    }

    /// Returns the sample of a type with the latest start; nil when there is none.
    public func mostRecent(
        _ type: QuantityType, of person: String? = nil
    ) async throws(HealthStoreError) -> QuantitySample? {
        let predicate = person.map { RecordPredicate.person($0) } ?? .all
        return try await samples(type, matching: predicate, order: .newestFirst, limit: 1).first
    }

    /// Returns the workouts that match a predicate, newest first.
    public func workouts(
        matching predicate: RecordPredicate = .all, limit: Int? = nil
    ) async throws(HealthStoreError) -> [Workout] {
        let found = try await records(
            matching: .kind(.workout) && predicate, order: .newestFirst, limit: limit)
        return found.compactMap { if case .workout(let workout) = $0 { workout } else { nil } }
    }

    /// Calculates the statistics of the samples of a type in each span, of all people.
    public func statistics(
        of type: QuantityType, in spans: [Range<Instant>]
    ) async throws(HealthStoreError) -> [Statistics] {
        try await statistics(of: type, in: spans, person: nil, options: StatisticsOptions())
    }

    /// Calculates the statistics of a type on each of the last days, the last one that of a time.
    ///
    /// - Parameters:
    ///   - count: The number of days; less than 1 counts as 1.
    ///   - now: A time in the last day.
    ///   - calendar: The calendar whose days are meant.
    public func dailyStatistics(
        of type: QuantityType, last count: Int, until now: Instant, in calendar: LocalCalendar,
        person: String? = nil
    ) async throws(HealthStoreError) -> [Statistics] {
        let today = calendar.date(at: now)
        // No day before the year 1 or after 9999.
        let days = (0..<max(count, 1)).reversed().compactMap { back -> Range<Instant>? in
            guard let day = today.adding(days: -back), let next = day.adding(days: 1) else {
                return nil
            }
            return calendar.span(from: day, until: next)
        }
        return try await statistics(
            of: type, in: days.filter { !$0.isEmpty }, person: person, options: StatisticsOptions())
    }
}
